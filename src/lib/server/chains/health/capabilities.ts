/** Derives what a daemon can do from its chain, key, wallet, indexes and answers. Pure. */
import { HIGHEST_CCID, isSharedCcid, LOWEST_CCID } from '../daemon/sharedCcid.ts';
import type { CapabilityFinding, CapabilityId } from '#lib/messages/capabilities.ts';
import { INDEX_NAMES, type IndexName } from '#lib/messages/daemonIndexes.ts';
import type { ImportMode } from './importMode.ts';
import { BUILDING, indexFact } from './indexes.ts';
import type { Indexes, Probes, Told } from './read.ts';

interface Capability {
	id: CapabilityId;
	/** Null when unknown. */
	can: boolean | null;
	/** The reason for the verdict. */
	why: CapabilityFinding;
	/** Methods that need this capability. */
	methods: readonly string[];
}

/** The facts from `getinfo` that capabilities depend on. */
export interface Identity {
	/** 0 on a chain without crypto-conditions; null when not reported. */
	ccid: number | null;
	blocks: number | null;
	/** Activation height of Sapling; negative while unknown, null when not reported. */
	sapling: number | null;
	/** Undefined for none; null when not reported. */
	pubkey: string | null | undefined;
	hasWallet: boolean;
	/** Number of the notary whose key the daemon uses; negative for none, null when not reported. */
	notaryId: number | null;
}

interface CapabilityFacts {
	isMain: boolean;
	/** Null when `getinfo` failed. */
	identity: Identity | null;
	indexes: Indexes;
	probes: Probes;
	/** Configuration of the chain's self-imports; null when it was not read. */
	importMode: ImportMode | null;
}

const INDEX_METHODS: Readonly<Record<IndexName, readonly string[]>> = {
	txindex: ['getrawtransaction', 'gettxoutproof'],
	addressindex: [
		'getaddressbalance',
		'getaddressutxos',
		'getaddresstxids',
		'getaddressdeltas',
		'tokenbalance'
	],
	spentindex: ['getspentinfo'],
	timestampindex: ['getblockhashes']
};
type Verdict = Pick<Capability, 'can' | 'why'>;

const no = (why: CapabilityFinding): Verdict => ({ can: false, why });
const yes = (why: CapabilityFinding): Verdict => ({ can: true, why });
const unknown = (why: CapabilityFinding): Verdict => ({ can: null, why });
const NOT_TOLD = unknown({ code: 'not-told', params: {} });

/** Keeps a positive verdict only when the daemon serves this method. */
function probed(told: Told<boolean>, method: string, then: Verdict): Verdict {
	if (then.can !== true) return then;
	if (told.kind !== 'told') {
		return unknown({ code: 'method-unanswered', params: { method, why: told.why } });
	}
	return told.value ? then : no({ code: 'method-missing', params: { method } });
}

/** Returns what prevents the daemon from building transactions; null when nothing does. */
function cannotBuild({ pubkey, hasWallet }: Identity, indexes: Indexes): Verdict | null {
	if (!hasWallet) return no({ code: 'wallet.none', params: {} });
	if (pubkey === null) return NOT_TOLD;
	if (pubkey === undefined) return no({ code: 'pubkey.none', params: {} });
	const off = BUILDING.filter((name) => indexes[name].kind === 'told' && !indexes[name].value);
	return off.length === 0 ? null : no({ code: 'indexes.off', params: { names: off } });
}

function tokens(identity: Identity, indexes: Indexes, { tokens: told }: Probes): Verdict {
	if (identity.ccid === null) return NOT_TOLD;
	if (identity.ccid === 0) return no({ code: 'ccid.none', params: {} });
	const { ccid } = identity;
	const built = cannotBuild(identity, indexes) ?? yes({ code: 'ccid.set', params: { ccid } });
	return probed(told, 'tokeninfo', built);
}

function migration(identity: Identity, indexes: Indexes, { migration: told }: Probes): Verdict {
	const { ccid } = identity;
	if (ccid === null) return NOT_TOLD;
	if (!isSharedCcid(ccid)) {
		const params = { ccid, first: LOWEST_CCID, last: HIGHEST_CCID };
		return no({ code: 'ccid.outside', params });
	}
	const built = cannotBuild(identity, indexes) ?? yes({ code: 'ccid.shared', params: { ccid } });
	return probed(told, 'getimports', built);
}

function selfImport({ pubkey }: Identity, { mode, pubkey: issuer }: ImportMode): Verdict {
	if (mode === null) return unknown({ code: 'import-mode.unset', params: {} });
	if (mode !== 'PUBKEY') return no({ code: 'import-mode.other', params: { mode } });
	if (issuer === null) return unknown({ code: 'import-key.unset', params: {} });
	if (pubkey === null) return NOT_TOLD;
	return pubkey === issuer
		? yes({ code: 'import-key.own', params: {} })
		: no({ code: 'import-key.other', params: {} });
}

/** Sapling is active, will become active, or has no known height. */
function sapling({ sapling: height, blocks }: Identity): Verdict {
	if (height === null || blocks === null) return NOT_TOLD;
	if (height < 0) return no({ code: 'sapling.no-height', params: {} });
	return height <= blocks
		? yes({ code: 'sapling.active', params: { height } })
		: no({ code: 'sapling.ahead', params: { height, blocks } });
}

/** Returns everything that a daemon of this chain could do, and whether it can. */
export function capabilitiesOf(facts: CapabilityFacts): Capability[] {
	const { isMain, identity, indexes, probes, importMode } = facts;
	const of = (judge: (identity: Identity) => Verdict): Verdict =>
		identity === null ? unknown({ code: 'not-answered', params: {} }) : judge(identity);
	const builds = (identity?.ccid ?? 0) !== 0;
	const list: Capability[] = [
		{
			id: 'read',
			...of(({ blocks }) =>
				yes(
					blocks === null
						? { code: 'blocks.not-told', params: {} }
						: { code: 'blocks.some', params: { blocks } }
				)
			),
			methods: ['getblock', 'getblockheader', 'getrawmempool']
		},
		{ id: 'sapling', ...of(sapling), methods: [] },
		{
			id: 'tokens',
			...of((one) => tokens(one, indexes, probes)),
			methods: ['tokencreate', 'tokentransfer', 'tokeninfo', 'tokenlist']
		}
	];
	if (isMain) {
		list.push({
			id: 'completion',
			...of(() =>
				probed(
					probes.completion,
					'getNotarisationsForBlock',
					yes({ code: 'method-answered', params: { method: 'getNotarisationsForBlock' } })
				)
			),
			methods: ['migrate_completeimporttransaction', 'MoMoMdata', 'getNotarisationsForBlock']
		});
	} else {
		list.push(
			{
				id: 'migration',
				...of((one) => migration(one, indexes, probes)),
				methods: [
					'migrate_createburntransaction',
					'migrate_createimporttransaction',
					'migrate_checkburntransactionsource',
					'getimports'
				]
			},
			{
				id: 'approvals',
				...of(({ notaryId: number }) => {
					if (number === null) return NOT_TOLD;
					return number < 0
						? no({ code: 'notary.none', params: {} })
						: yes({ code: 'notary.is', params: { id: number } });
				}),
				methods: ['migrate_createnotaryapprovaltransaction']
			}
		);
		if (importMode !== null) {
			list.push({
				id: 'self-import',
				...of((one) => selfImport(one, importMode)),
				methods: ['selfimport']
			});
		}
	}
	list.push({
		id: 'wallet',
		...of(({ hasWallet }) =>
			hasWallet
				? yes({ code: 'wallet.there', params: {} })
				: no({ code: 'wallet.none', params: {} })
		),
		methods: ['listunspent', 'signrawtransaction', 'sendtoaddress']
	});
	for (const name of INDEX_NAMES) {
		const fact = indexFact(name, indexes[name], builds);
		list.push({
			id: name,
			can: fact.state === 'unknown' ? null : fact.state === 'on',
			why: { code: 'index', params: fact },
			methods: INDEX_METHODS[name]
		});
	}
	return list;
}
