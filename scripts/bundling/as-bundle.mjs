/** The options by which esbuild writes what src/core/bundle.ts loads. */
export const AS_BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  charset: 'ascii',
  minifyWhitespace: true,
  // V8 does not keep with compiled code who imports for it, so modules outside are required.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'bundleUrl' },
  // In the file itself, since Node would have to copy megabytes of text to wrap something around it.
  banner: { js: '(function(module,require,__filename,__dirname,bundleUrl){' },
  footer: { js: '})' },
};

/** zod has its error messages in sixty languages, which are half of it. Only English is used. */
export const zodInEnglish = {
  name: 'zod-in-english',
  setup({ onLoad }) {
    const contents = "export { default as en } from './en.js';";
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents }));
  },
};
