import { z } from 'zod';
import { urlFault } from './api-url.ts';

/** A path. What is there is looked at later. */
export const pathSchema = z
  .string()
  .min(1)
  .refine((path) => !path.includes('\0'), 'a path cannot contain the character NUL');

/** The address of an API. */
export const urlSchema = z
  .string()
  .min(1)
  .max(2000)
  .refine((text) => urlFault(text) === undefined, { error: ({ input }) => urlFault(String(input)) });

/** The name that an API has for a model. */
export const modelSchema = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => name === '' || name.trim() !== '', 'it has to be the name of a model');
