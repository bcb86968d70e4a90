import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';
import { COMPOSITION, FOLDERS, forbiddenIn, PURE } from './tests/architecture/layers.js';

const COMPONENTS = ['**/*.svelte', '**/*.svelte.ts'];

/** Folders that plain node runs, without SvelteKit. */
const PLAIN = ['devnet', ...FOLDERS.filter((folder) => folder.startsWith('lib/server'))];

const noComponents = {
	regex: '^svelte(/|$)|\\.svelte$',
	message: 'Components stay in routes and lib/ui.'
};
const noKit = {
	regex: '^(\\$app|\\$env|@sveltejs)/',
	message: 'Plain node must be able to run this folder: no SvelteKit imports.'
};
const noIo = {
	regex: '^(node:|(undici|kysely|pg|better-sqlite3)(/|$))',
	message: 'This folder is pure: no I/O.'
};

/**
 * One folder of the architecture. tests/architecture/layers.js says what it may import.
 *
 * @param {string} folder of `src`
 * @returns {import('eslint').Linter.Config}
 */
const layer = (folder) => ({
	files: [folder === COMPOSITION ? `src/${folder}/*.ts` : `src/${folder}/**`],
	ignores: ['**/*.test.ts'],
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					...forbiddenIn(folder),
					...(PURE.includes(folder) ? [noComponents, noKit, noIo] : []),
					...(PLAIN.includes(folder) ? [noComponents, noKit] : [])
				]
			}
		]
	}
});

export default ts.config(
	{ ignores: ['build/', '.svelte-kit/', 'node_modules/', 'data/', 'test-results/'] },
	js.configs.recommended,
	...ts.configs.strict,
	// Where there are components only: on all files its rules are a sixth of the time that lint takes.
	...svelte.configs.recommended.map((config) => ({ files: COMPONENTS, ...config })),
	{
		languageOptions: { globals: { ...globals.node, ...globals.browser } },
		rules: {
			'no-undef': 'off',
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-non-null-assertion': 'off',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_' }
			],
			'svelte/no-navigation-without-resolve': 'off',
			eqeqeq: 'error'
		}
	},
	{
		files: COMPONENTS,
		languageOptions: {
			parserOptions: { extraFileExtensions: ['.svelte'], parser: ts.parser, svelteConfig }
		}
	},
	...FOLDERS.map(layer),
	{
		files: ['**/*.test.ts', 'tests/e2e/**'],
		rules: {
			'no-restricted-properties': [
				'error',
				...['test', 'it', 'describe'].flatMap((object) =>
					['skip', 'fixme', 'only'].map((property) => ({
						object,
						property,
						message:
							'A run fails if a test is left out. Put the test into a file that only its projects run.'
					}))
				)
			]
		}
	},
	{
		files: ['src/lib/{chain,messages,rpc,text}/**', 'src/lib/server/**', 'src/devnet/**'],
		ignores: ['**/*.test.ts'],
		rules: { 'no-console': 'error' }
	}
);
