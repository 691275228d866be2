/** How esbuild writes what src/core/bundle.ts loads. */
export const AS_BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  charset: 'ascii',
  minifyWhitespace: true,
  // V8 does not keep with compiled code who imports for it, so what lies outside is required.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'bundleUrl' },
  // In the file, since Node would have to copy a text of megabytes to put something around it.
  banner: { js: '(function(module,require,__filename,__dirname,bundleUrl){' },
  footer: { js: '})' },
};

/** zod says what is wrong in sixty languages, and nobody asks it for another one: they are half of it. */
export const zodInEnglish = {
  name: 'zod-in-english',
  setup({ onLoad }) {
    const contents = "export { default as en } from './en.js';";
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents }));
  },
};
