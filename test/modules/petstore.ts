/** An API that has of each kind of thing one. */
export const PETSTORE = `openapi: 3.1.0
info:
  title: Pet store
  description: Pets, and who owns them.
paths:
  /v1/pets:
    parameters:
      - $ref: '#/components/parameters/Limit'
    get:
      operationId: listPets
      summary: List all pets
      responses:
        '200':
          description: A page of pets
          content:
            application/json:
              schema:
                type: array
                items: { $ref: '#/components/schemas/Pet' }
    post:
      summary: Register a pet
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/NewPet' }
      responses:
        '201':
          $ref: '#/components/responses/OnePet'
        default:
          description: What went wrong
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Problem' }
  /v1/pets/{pet_id}:
    delete:
      deprecated: true
      responses:
        '204': { description: Gone }
components:
  parameters:
    Limit: { name: limit, in: query, description: How many at once, schema: { type: integer } }
  responses:
    OnePet:
      description: The pet
      content:
        application/json:
          schema: { $ref: '#/components/schemas/Pet' }
  schemas:
    Pet:
      description: An animal with an owner.
      type: object
      required: [id]
      properties:
        id: { type: string, description: Never changes }
        owner: { $ref: '#/components/schemas/Owner' }
        self: { $ref: '#/components/schemas/Pet' }
    NewPet:
      allOf:
        - $ref: '#/components/schemas/Pet'
    Owner: { type: object, properties: { name: { type: string } } }
    Problem: { $ref: '#/components/schemas/Loop' }
    Loop: { $ref: '#/components/schemas/Problem' }
    Outside: { $ref: 'https://example.org/other.yaml#/x' }
`;

export const SWAGGER = JSON.stringify({
  swagger: '2.0',
  info: { title: 'Old store' },
  paths: {
    '/pets': {
      post: {
        parameters: [{ name: 'pet', in: 'body', schema: { $ref: '#/definitions/Pet' } }],
        responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Pet' } } },
      },
    },
  },
  definitions: { Pet: { type: 'object', properties: { id: { type: 'string' } } } },
});
