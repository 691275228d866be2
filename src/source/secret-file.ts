/** Examples of such files are for others, and hold no secrets. */
const SECRET_NAMES =
  /^(?:\.env(?!\.(?:example|sample|template|dist)$)(?:\..+)?|\.netrc|\.pgpass|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|p12|pfx))$/i;

/**
 * Whether a file is by its name one of passwords, tokens or private keys: those are no docs, and what the tree shows is searched, quoted, and read by
 * models.
 */
export function isSecretFile(name: string): boolean {
  return SECRET_NAMES.test(name);
}
