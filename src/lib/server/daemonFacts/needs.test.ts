import { describe, expect, test } from 'vitest';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { needsOf, type Need, type Surroundings } from './needs.ts';
import { parseHelp, type DaemonAnswers } from './read.ts';

const AROUND: Surroundings = {
	chain: 'ALPHA',
	dataCarrierSize: 10_001,
	importMode: { mode: 'PUBKEY', pubkey: `02${'11'.repeat(32)}` },
	siblings: ['BETA'],
	hasMain: true
};
const HELP = parseHelp(
	'== Tokens ==\ntokencreate name supply\ntokentransfer tokenid\ntokeninfo\ntokenlist\ntokenbalance\n\n== Crosschain ==\nmigrate_createburntransaction dest\nmigrate_createimporttransaction\ngetimports "hash|height"\n'
);
const told = <T>(value: T) => ({ kind: 'told' as const, value });

function answers(
	info: Partial<DaemonResult<'getinfo'>> = {},
	more: Partial<DaemonAnswers> = {}
): DaemonAnswers {
	const silent = { kind: 'silent' as const, words: 'nothing' };
	const whole = {
		name: 'ALPHA',
		CCid: 777,
		blocks: 100,
		sapling: 1,
		notarized: 90,
		balance: 5n,
		pubkey: `02${'11'.repeat(32)}`,
		...info
	} as DaemonResult<'getinfo'>;
	return {
		info: told(whole),
		chain: silent,
		network: silent,
		help: told(HELP),
		txindex: told(true),
		addressindex: told(true),
		...more
	};
}

/** A need by its name; it stands in several groups and says the same in each. */
function need(what: string, given: DaemonAnswers, around: Partial<Surroundings> = {}): Need {
	const found = needsOf(given, { ...AROUND, ...around })
		.flatMap(({ needs }) => needs)
		.find((one) => one.what === what);
	if (!found) throw new Error(`there is no need ${what}`);
	return found;
}

describe('what a daemon needs', () => {
	test('is all there where nothing is missing', () => {
		const all = needsOf(answers(), AROUND).flatMap(({ needs }) => needs);
		expect(all.filter(({ standing }) => standing !== 'ok')).toEqual([]);
		expect(all.every(({ mend }) => mend === null)).toBe(true);
	});

	test.each<[string, DaemonAnswers, Partial<Surroundings>, Need['standing'], RegExp]>([
		['ac_cc', answers({ CCid: undefined }), {}, 'missing', /parameter of the whole chain/],
		['ac_cc of 100 or more', answers({ CCid: 77 }), {}, 'missing', /101 to 65535/],
		['ac_cc of 100 or more', answers({ CCid: 70_000 }), {}, 'missing', /101 to 65535/],
		['ac_cc of 100 or more', answers(), { siblings: [] }, 'warn', /same ac_cc/],
		['pubkey', answers({ pubkey: undefined }), {}, 'missing', /-pubkey=/],
		['wallet', answers({ balance: undefined }), {}, 'missing', /-disablewallet/],
		['wallet', answers({ unlocked_until: 0 }), {}, 'missing', /walletpassphrase/],
		['Sapling', answers({ sapling: 101 }), {}, 'missing', /Wait until/],
		['Sapling', answers({ sapling: -1 }), {}, 'missing', /Wait until/],
		['notarizations', answers({ notarized: 0 }), {}, 'missing', /backup route/],
		['datacarriersize', answers(), { dataCarrierSize: 208 }, 'missing', /datacarriersize=10001/],
		['datacarriersize', answers(), { dataCarrierSize: 2000 }, 'warn', /datacarriersize=10001/],
		['datacarriersize', answers(), { dataCarrierSize: null }, 'unknown', /datacarriersize=10001/],
		['daemon of KMD', answers(), { hasMain: false }, 'missing', /Configure a daemon of KMD/],
		['txindex', answers({}, { txindex: told(false) }), {}, 'missing', /txindex=1/],
		['addressindex', answers({}, { addressindex: told(false) }), {}, 'missing', /addressindex=1/],
		[
			'methods of the token module',
			answers({}, { help: told(parseHelp('getinfo\nhelp')) }),
			{},
			'missing',
			/release of the daemon/
		],
		[
			'ac_import',
			answers(),
			{ importMode: { mode: 'BEAM', pubkey: null } },
			'missing',
			/cannot be changed/
		],
		[
			'ac_import',
			answers(),
			{ importMode: { mode: null, pubkey: null } },
			'unknown',
			/KOMODECK_SELF_IMPORT/
		],
		[
			'ac_pubkey',
			answers(),
			{ importMode: { mode: 'PUBKEY', pubkey: `03${'22'.repeat(32)}` } },
			'missing',
			/runs with this key/
		]
	])(
		'%s is told when it is not right, with the way to mend it',
		(what, given, around, standing, mend) => {
			const found = need(what, given, around);
			expect(found.standing).toBe(standing);
			expect(found.mend).toMatch(mend);
		}
	);

	test('the id 100 is let through with a word', () => {
		expect(need('ac_cc of 100 or more', answers({ CCid: 100 }))).toMatchObject({
			standing: 'warn',
			mend: null
		});
	});

	test('a daemon that says nothing leaves everything open', () => {
		const silent = { kind: 'silent' as const, words: 'down' };
		const given = answers(
			{},
			{ info: silent, help: silent, txindex: silent, addressindex: silent }
		);
		for (const what of ['pubkey', 'wallet', 'Sapling', 'ac_cc', 'txindex', 'notarizations']) {
			expect(need(what, given).standing).toBe('unknown');
		}
	});

	test('KMD is not asked for what only asset chains have', () => {
		const groups = needsOf(answers({ name: 'KMD', CCid: undefined }), { ...AROUND, chain: 'KMD' });
		expect(groups.map(({ title }) => title)).not.toContain('For self-imports');
		const names = groups.flatMap(({ needs }) => needs.map(({ what }) => what));
		expect(names).not.toContain('ac_cc of 100 or more');
	});
});

test('the list of methods is read with its headings, and without what is none', () => {
	expect(
		parseHelp('== Control ==\ngetinfo\nhelp ( "command" )\n\n== Tokens ==\n\n<b>x</b>')
	).toEqual([{ heading: 'Control', methods: ['getinfo', 'help'] }]);
	expect(parseHelp('getinfo')).toEqual([{ heading: 'Methods', methods: ['getinfo'] }]);
	expect(parseHelp('')).toEqual([]);
});
