import tseslint from 'typescript-eslint'

// Only what needs types: Biome does the rest, and formats.
export default tseslint.config({
  files: ['**/*.ts', '**/*.tsx'],
  plugins: { '@typescript-eslint': tseslint.plugin },
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: {
      project: ['./tsconfig.main.json', './tsconfig.renderer.json', './tsconfig.e2e.json'],
      tsconfigRootDir: import.meta.dirname,
    },
  },
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  rules: {
    '@typescript-eslint/await-thenable': 'error',
    '@typescript-eslint/no-explicit-any': 'error',
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
    '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  },
})
