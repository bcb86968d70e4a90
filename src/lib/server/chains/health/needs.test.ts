import { describe, expect, test } from 'vitest';
import { needMessage, type NeedId } from '#lib/messages/needs.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import type { CapabilityId } from '#lib/messages/capabilities.ts';
import { capabilitiesOf, type Identity } from './capabilities.ts';
import { needsOf, type Need, type Surroundings } from './needs.ts';
import type { DaemonAnswers } from './read.ts';

const AROUND: Surroundings = {
	chain: 'ALPHA',
	dialect: 'komodod',
	dataCarrierSize: 10_001,
	importMode: { mode: 'PUBKEY', pubkey: `02${'11'.repeat(32)}` },
	siblings: ['BETA'],
	hasMain: true
};
const told = <T>(value: T) => ({ kind: 'told' as const, value });
const SILENT = {
	kind: 'silent' as const,
	why: { code: 'no-spend', params: {} } as const
};
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
		balance: 5n,
		probes: { tokens: told(true), migration: told(true), completion: told(true) },
		txindex: told(true),
		addressindex: told(true),
		spentindex: told(true),
		timestampindex: told(true),
		...more
	};
}

/** Returns a need by its id; it is the same in each group that contains it. */
function need(id: NeedId, given: DaemonAnswers, around: Partial<Surroundings> = {}): Need {
	const found = needsOf(given, { ...AROUND, ...around })
		.flatMap(({ needs }) => needs)
		.find((one) => one.id === id);
	if (!found) throw new Error(`there is no need ${id}`);
	return found;
}

describe('what a daemon needs', () => {
	test('is all there where nothing is missing', () => {
		const all = needsOf(answers(), AROUND).flatMap(({ needs }) => needs);
		expect(all.filter(({ status }) => status !== 'ok')).toEqual([]);
		expect(all.every((one) => needMessage(one).fix === null)).toBe(true);
	});

	test.each<[NeedId, DaemonAnswers, Partial<Surroundings>, Need['status'], Need['code']]>([
		['ac_cc', answers({ CCid: undefined }), {}, 'missing', 'modules.off'],
		['shared-ccid', answers({ CCid: 77 }), {}, 'missing', 'ccid.too-small'],
		['shared-ccid', answers({ CCid: 70_000 }), {}, 'missing', 'ccid.too-large'],
		['shared-ccid', answers(), { siblings: [] }, 'warn', 'ccid.alone'],
		['pubkey', answers({ pubkey: undefined }), {}, 'missing', 'pubkey.none'],
		['wallet', answers({ balance: undefined }), {}, 'missing', 'wallet.none'],
		['wallet', answers({ unlocked_until: 0 }), {}, 'missing', 'wallet.locked'],
		['sapling', answers({ sapling: 101 }), {}, 'missing', 'sapling.ahead'],
		['sapling', answers({ sapling: -1 }), {}, 'missing', 'sapling.no-height'],
		['notarizations', answers({ notarized: 0 }), {}, 'missing', 'notarizations.none'],
		['datacarriersize', answers(), { dataCarrierSize: 208 }, 'missing', 'relay.too-small'],
		['datacarriersize', answers(), { dataCarrierSize: 2000 }, 'warn', 'relay.tokens-large'],
		['datacarriersize', answers(), { dataCarrierSize: null }, 'unknown', 'relay.unknown'],
		['main-daemon', answers(), { hasMain: false }, 'missing', 'main.missing'],
		['txindex', answers({}, { txindex: told(false) }), {}, 'missing', 'index'],
		['addressindex', answers({}, { addressindex: told(false) }), {}, 'missing', 'index'],
		['spentindex', answers({}, { spentindex: told(false) }), {}, 'missing', 'index'],
		['spentindex', answers({ CCid: undefined }, { spentindex: told(false) }), {}, 'warn', 'index'],
		['timestampindex', answers({}, { timestampindex: told(false) }), {}, 'warn', 'index'],
		['token-methods', answers({}, { probes: NONE_SERVED }), {}, 'missing', 'methods.missing'],
		[
			'ac_import',
			answers(),
			{ importMode: { mode: 'BEAM', pubkey: null } },
			'missing',
			'self-import.other-mode'
		],
		[
			'ac_import',
			answers(),
			{ importMode: { mode: null, pubkey: null } },
			'unknown',
			'self-import.unset'
		],
		[
			'ac_pubkey',
			answers(),
			{ importMode: { mode: 'PUBKEY', pubkey: `03${'22'.repeat(32)}` } },
			'missing',
			'self-import.other-key'
		]
	])(
		'%s is told when it is not right, with the way to fix it',
		(id, given, around, status, code) => {
			const found = need(id, given, around);
			expect(found).toMatchObject({ status, code });
			expect(needMessage(found).fix).not.toBeNull();
		}
	);

	test('the id 100 is let through with a word', () => {
		const found = need('shared-ccid', answers({ CCid: 100 }));
		expect(found).toMatchObject({ status: 'warn', code: 'ccid.shared' });
		expect(needMessage(found).fix).toBeNull();
	});

	test('a daemon that says nothing leaves everything open', () => {
		const given = answers({}, { info: SILENT, txindex: SILENT, addressindex: SILENT });
		for (const id of [
			'pubkey',
			'wallet',
			'sapling',
			'ac_cc',
			'txindex',
			'notarizations'
		] as const) {
			expect(need(id, given).status).toBe('unknown');
		}
	});

	test('KMD is not asked for what only asset chains have', () => {
		const groups = needsOf(answers({ name: 'KMD', CCid: undefined }), { ...AROUND, chain: 'KMD' });
		expect(groups.map(({ id }) => id)).not.toContain('self-imports');
		const names = groups.flatMap(({ needs }) => needs.map(({ id }) => id));
		expect(names).not.toContain('shared-ccid');
	});
});

describe('an index', () => {
	test.each(['txindex', 'addressindex', 'spentindex', 'timestampindex'] as const)(
		'says of %s whether it is on, and what it gives or what is missing',
		(name) => {
			const on = needMessage(need(name, answers())).details;
			const off = needMessage(need(name, answers({}, { [name]: told(false) }))).details;
			const unknown = needMessage(need(name, answers({}, { [name]: SILENT }))).details;
			expect(on).toMatch(new RegExp(`^${name} is on\\. .{20}`));
			expect(off).toMatch(new RegExp(`^${name} is off\\. .{20}`));
			expect(unknown).toMatch(
				new RegExp(
					`^It is not known whether ${name} is on\\. The newest blocks hold no transaction that spends\\. With`
				)
			);
			expect(off.slice(off.indexOf('. '))).not.toBe(on.slice(on.indexOf('. ')));
		}
	);

	test('that building needs is named so on a chain with ac_cc alone', () => {
		const off = { spentindex: told(false) };
		expect(needMessage(need('spentindex', answers({}, off))).details).toContain(
			'no tokens and no burns'
		);
		expect(
			needMessage(need('spentindex', answers({ CCid: undefined }, off))).details
		).not.toContain('burns');
		for (const group of ['tokens', 'migrations']) {
			const { needs } = needsOf(answers({}, off), AROUND).find(({ id }) => id === group)!;
			const missing = needs.filter(({ status }) => status === 'missing');
			expect(missing.map(({ id }) => id)).toEqual(['spentindex']);
		}
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

	/** The capabilities by verdict: present, missing and unknown. */
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
		expect(sorted({ ...IDENTITY, pubkey: undefined }).no).toEqual([
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
