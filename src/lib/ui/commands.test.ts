import { expect, it } from 'vitest';
import { commandsFor, commandsLike } from './commands.ts';

const wordsOf = (
	account: { name: string } | null,
	build: boolean,
	broadcast: boolean,
	admin = false
): string[] =>
	commandsFor(['ALPHA'], account, { build, broadcast, sign: broadcast, admin }, '/x').map(
		({ words }) => words
	);

it('offers each role what it may do', () => {
	const visitor = wordsOf(null, false, false);
	expect(visitor).toContain('Log in');
	for (const words of ['Create a token', 'Start a migration', 'Log out', 'Transactions']) {
		expect(visitor).not.toContain(words);
		expect(wordsOf({ name: 'ada' }, true, true)).toContain(words);
	}
	expect(wordsOf({ name: 'ada' }, true, false)).not.toContain('Take up a burn made elsewhere');
	expect(wordsOf({ name: 'ada' }, true, true)).not.toContain('Members');
	expect(wordsOf({ name: 'ada' }, true, true, true)).toContain('Members');
});

it('finds commands by parts of their words and of their chain, in any order', () => {
	const all = commandsFor(
		['ALPHA', 'BE/TA'],
		null,
		{ build: false, broadcast: false, sign: false, admin: false },
		'/'
	);
	expect(commandsLike(all, ' tok  alp ').map(({ to }) => to)).toEqual([
		{ href: '/chains/ALPHA/tokens' }
	]);
	expect(commandsLike(all, 'be/ta bloc')[0]?.to).toEqual({ href: '/chains/BE%2FTA/blocks' });
	expect(commandsLike(all, 'nothing like it')).toEqual([]);
	expect(commandsLike(all, '')).toHaveLength(all.length);
});
