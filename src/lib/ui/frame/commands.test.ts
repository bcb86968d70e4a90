import { expect, it } from 'vitest';
import { commandsLike, typingErrors } from './commandSearch.ts';
import { commandsFor, type Command, type May } from './commands.ts';

const NOTHING: May = { build: false, broadcast: false, sign: false, admin: false };
const EVERYTHING: May = { build: true, broadcast: true, sign: true, admin: true };
const ADA = { name: 'ada' };

function offered(account: { name: string } | null, may: May, chains = ['ALPHA', 'BETA']) {
	return commandsFor({ chains, account, may, path: '/x' });
}

/** Texts of the first `n` commands found, with their chain. */
const first = (text: string, n = 1, may = EVERYTHING, here: string | null = null): string[] =>
	commandsLike(offered(ADA, may), text, here)
		.slice(0, n)
		.map(({ words, chain }) => (chain === undefined ? words : `${words} ${chain}`));

const titles = (commands: readonly Command[]): string[] => commands.map(({ words }) => words);

it('offers each role what it may do', () => {
	const visitor = titles(offered(null, NOTHING));
	expect(visitor).toContain('Log in');
	for (const words of ['Create token', 'Migrate coins', 'Log out', 'Transactions', 'Migrations']) {
		expect(visitor).not.toContain(words);
		expect(titles(offered(ADA, EVERYTHING))).toContain(words);
	}
	const notary = titles(offered(ADA, { ...EVERYTHING, sign: false, admin: false }));
	for (const words of ['Sign message', 'Activate coin', 'Members', 'Freeze sending'])
		expect(notary).not.toContain(words);
	expect(titles(offered(ADA, { ...NOTHING, build: true }))).not.toContain('Recover migration');
});

it.each([
	['migrate', 'Migrate coins'],
	['bridge', 'Migrate coins'],
	['invite', 'Invite member'],
	['freeze', 'Freeze sending'],
	['read-only', 'Freeze sending'],
	['limits', 'Set spending limit'],
	['log out', 'Log out'],
	['logout', 'Log out'],
	['activate', 'Activate coin'],
	['sign', 'Sign message'],
	['utxo', 'Migrate selected UTXOs'],
	['resume burn', 'Recover migration'],
	['theme', 'Use light theme'],
	['dark mode', 'Use dark theme'],
	['decode', 'Decoder'],
	['ledger', 'Reconciliation'],
	['people', 'Members'],
	['daemons', 'Daemons']
])('finds by the word "%s" what people mean by it', (text, words) => {
	expect(first(text)).toEqual([words]);
});

it.each([
	['send', 'Send coins ALPHA'],
	['check proof', 'Verify a Merkle proof ALPHA'],
	['rich list', 'Addresses ALPHA'],
	['pay beta', 'Send coins BETA'],
	['receive', 'Receive coins ALPHA'],
	['pubkey', 'Receive coins ALPHA'],
	['balance', 'Wallet balance ALPHA'],
	['split', 'Split UTXOs ALPHA']
])('finds by the word "%s" what people do with the wallet of a chain', (text, words) => {
	expect(first(text)).toEqual([words]);
});

it('finds commands by words of their title and chain in any order, the open chain first', () => {
	expect(first('token alpha create')).toEqual(['Create token ALPHA']);
	expect(first('create a token', 2, EVERYTHING, 'BETA')).toEqual([
		'Create token BETA',
		'Create token ALPHA'
	]);
	expect(first('mempool', 2)).toEqual(['Mempool ALPHA', 'Mempool BETA']);
	expect(first('unconfirmed beta')).toEqual(['Mempool BETA']);
	expect(commandsLike(offered(null, NOTHING, ['BE/TA']), 'be/ta bloc')[0]?.to).toEqual({
		href: '/chains/BE%2FTA/blocks'
	});
	expect(first('nothing like it')).toEqual([]);
});

it.each(['alpha', 'alpah', 'alhpa', 'alpa', 'alphaa', 'slpha', 'ALPH'])(
	'takes "%s" alone for the chain ALPHA, its overview first',
	(text) => {
		expect(first(text)).toEqual(['Chain overview ALPHA']);
	}
);

it('finds a page of a chain whose name is mistyped', () => {
	expect(first('btea blocks')).toEqual(['Blocks BETA']);
	expect(first('migrate apha')).toEqual(['Migrate coins ALPHA']);
});

it('takes no other word for a short name of a chain', () => {
	const commands = offered(null, NOTHING, ['KMD']);
	expect(commandsLike(commands, 'kmb')).toEqual([]);
});

it('offers without a text what concerns no chain, actions first', () => {
	const commands = commandsLike(offered(ADA, EVERYTHING), '');
	expect(commands.every(({ chain }) => chain === undefined)).toBe(true);
	const kinds = commands.map(({ kind }) => kind);
	expect(kinds.lastIndexOf('action')).toBeLessThan(kinds.indexOf('page'));
});

it('counts two characters that changed places as one typing error', () => {
	expect(typingErrors('alpah', 'alpha')).toBe(1);
	expect(typingErrors('', 'abc')).toBe(3);
	expect(typingErrors('kitten', 'sitting')).toBe(3);
});
