import { describe, expect, test } from 'vitest';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { capabilitiesOf, type CapabilityId, type Identity } from './capabilities.ts';
import { needsOf, type Need, type Surroundings } from './needs.ts';
import type { DaemonAnswers } from './read.ts';

const AROUND: Surroundings = {
	chain: 'ALPHA',
	dataCarrierSize: 10_001,
	importMode: { mode: 'PUBKEY', pubkey: `02${'11'.repeat(32)}` },
	siblings: ['BETA'],
	hasMain: true
};
const told = <T>(value: T) => ({ kind: 'told' as const, value });
const SILENT = { kind: 'silent' as const, words: 'nothing' };
const NONE_SERVED = { tokens: told(false), migration: told(false), completion: told(false) };

function answers(
	info: Partial<DaemonResult<'getinfo'>> = {},
	more: Partial<DaemonAnswers> = {}
): DaemonAnswers {
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
		chain: SILENT,
		network: SILENT,
		probes: { tokens: told(true), migration: told(true), completion: told(true) },
		txindex: told(true),
		addressindex: told(true),
		spentindex: told(true),
		timestampindex: told(true),
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
		['spentindex', answers({}, { spentindex: told(false) }), {}, 'warn', /spentindex=1/],
		[
			'timestampindex',
			answers({}, { timestampindex: told(false) }),
			{},
			'warn',
			/timestampindex=1/
		],
		[
			'methods of the token module',
			answers({}, { probes: NONE_SERVED }),
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
		const given = answers({}, { info: silent, txindex: silent, addressindex: silent });
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

describe('an index', () => {
	test.each(['txindex', 'addressindex', 'spentindex', 'timestampindex'] as const)(
		'says of %s whether it is on, and what it gives or what is missing',
		(name) => {
			const on = need(name, answers()).says;
			const off = need(name, answers({}, { [name]: told(false) })).says;
			const unknown = need(name, answers({}, { [name]: SILENT })).says;
			expect(on).toMatch(new RegExp(`^${name} is on\\. .{20}`));
			expect(off).toMatch(new RegExp(`^${name} is off\\. .{20}`));
			expect(unknown).toMatch(new RegExp(`^It is not known whether ${name} is on\\. nothing With`));
			expect(off.slice(off.indexOf('. '))).not.toBe(on.slice(on.indexOf('. ')));
		}
	);

	test('that building needs is named so on a chain with ac_cc alone', () => {
		const off = { spentindex: told(false) };
		expect(need('spentindex', answers({}, off)).says).toContain('no tokens and no burns');
		expect(need('spentindex', answers({ CCid: undefined }, off)).says).not.toContain('burns');
	});
});

describe('what a daemon can', () => {
	const IDENTITY: Identity = {
		ccid: 777,
		blocks: 100,
		sapling: 1,
		pubkey: `02${'11'.repeat(32)}`,
		hasWallet: true,
		notaryId: 3
	};

	/** The capabilities that are there, missing and not known. */
	function sorted(identity: Identity | null, more: Partial<DaemonAnswers> = {}, isMain = false) {
		const given = answers({}, more);
		const list = capabilitiesOf({
			isMain,
			identity,
			indexes: given,
			probes: given.probes,
			importMode: AROUND.importMode
		});
		const those = (can: boolean | null): CapabilityId[] =>
			list.flatMap((one) => (one.can === can ? one.id : []));
		return { yes: those(true), no: those(false), unknown: those(null) };
	}

	test('follows from its chain, key, wallet, indexes and probed answers', () => {
		expect(sorted(IDENTITY).no).toEqual([]);
		expect(sorted({ ...IDENTITY, ccid: 0 }).no).toEqual(['tokens', 'migration']);
		expect(sorted({ ...IDENTITY, ccid: 99 }).no).toEqual(['migration']);
		expect(sorted({ ...IDENTITY, ccid: 70_000 }).no).toEqual(['migration']);
		expect(sorted({ ...IDENTITY, pubkey: null }).no).toEqual([
			'tokens',
			'migration',
			'self-import'
		]);
		expect(sorted({ ...IDENTITY, hasWallet: false }).no).toEqual(['tokens', 'migration', 'wallet']);
		expect(sorted({ ...IDENTITY, sapling: 101 }).no).toEqual(['sapling']);
		expect(sorted({ ...IDENTITY, notaryId: -1 }).no).toEqual(['approvals']);
		expect(sorted(IDENTITY, { probes: NONE_SERVED }).no).toEqual(['tokens', 'migration']);
		expect(sorted(IDENTITY, { timestampindex: told(false) }).no).toEqual(['timestampindex']);
		for (const name of ['addressindex', 'spentindex'])
			expect(sorted(IDENTITY, { [name]: told(false) }).no).toEqual(['tokens', 'migration', name]);
	});

	test('is not known where nothing was answered', () => {
		const probes = { tokens: SILENT, migration: SILENT, completion: SILENT };
		expect(sorted(IDENTITY, { probes, txindex: SILENT }).unknown).toEqual([
			'tokens',
			'migration',
			'txindex'
		]);
		expect(sorted(null).yes).toEqual(['txindex', 'addressindex', 'spentindex', 'timestampindex']);
	});

	test('is on KMD the proof of an import, and neither tokens nor migrations', () => {
		const { yes, no } = sorted({ ...IDENTITY, ccid: 0 }, {}, true);
		expect(yes).toContain('completion');
		expect(no).toEqual(['tokens']);
	});
});
