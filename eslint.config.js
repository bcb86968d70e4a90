import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

/**
 * One boundary of the architecture: files under `files` must not import what matches `patterns`.
 * ARCHITECTURE.md says why each line is drawn where it is.
 *
 * @param {string[]} files
 * @param {string[]} ignores
 * @param {{ group: string[], message: string }[]} patterns
 * @returns {import('eslint').Linter.Config}
 */
const boundary = (files, ignores, patterns) => ({
	files,
	ignores,
	rules: { 'no-restricted-imports': ['error', { patterns }] }
});

const noServer = {
	group: ['#lib/server/**', '**/lib/server/**'],
	message: 'This folder is read by browsers or by devnet: server code must not reach it.'
};
const noUi = {
	group: ['#lib/ui/**', '**/lib/ui/**', 'svelte', 'svelte/**'],
	message: 'Components stay in routes and lib/ui.'
};
const noDevnet = {
	group: ['**/devnet/**'],
	message: 'Only cli and start may import devnet.'
};
const noKit = {
	group: ['$app/**', '$env/**', '@sveltejs/**'],
	message: 'Plain node must be able to run this folder: no SvelteKit imports.'
};
const noIo = {
	group: ['node:*', 'undici', 'kysely', 'pg', 'better-sqlite3'],
	message: 'lib/rpc and lib/chain are pure: no I/O.'
};

export default ts.config(
	{ ignores: ['build/', '.svelte-kit/', 'node_modules/', 'data/', 'test-results/'] },
	js.configs.recommended,
	...ts.configs.strict,
	...svelte.configs.recommended,
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
		files: ['**/*.svelte', '**/*.svelte.ts'],
		languageOptions: {
			parserOptions: { extraFileExtensions: ['.svelte'], parser: ts.parser, svelteConfig }
		}
	},
	boundary(
		['src/lib/rpc/**', 'src/lib/chain/**'],
		['**/*.test.ts'],
		[noServer, noUi, noDevnet, noKit, noIo]
	),
	boundary(['src/lib/ui/**'], [], [noServer, noDevnet]),
	boundary(
		['src/devnet/**'],
		['**/*.test.ts'],
		[noServer, noUi, noKit, { group: ['**/routes/**'], message: 'devnet knows no pages.' }]
	),
	boundary(['src/lib/server/**'], ['**/*.test.ts'], [noUi, noDevnet, noKit]),
	boundary(['src/routes/**'], [], [noDevnet]),
	{
		files: ['src/lib/{chain,rpc}/**', 'src/lib/server/**', 'src/devnet/**'],
		ignores: ['**/*.test.ts'],
		rules: { 'no-console': 'error' }
	}
);
