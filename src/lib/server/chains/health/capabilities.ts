/** What a daemon can, by its own chain, key, wallet and indexes, and by what it answered. Pure. */
import type { ImportMode } from './importMode.ts';
import { BUILDING, INDEX_NAMES, indexFact, indexSentence, type IndexName } from './indexes.ts';
import type { Indexes, Probes, Told } from './read.ts';

/** The short name of a capability, as the command line lists it. */
export type CapabilityId =
	| 'read'
	| 'sapling'
	| 'tokens'
	| 'migration'
	| 'completion'
	| 'approvals'
	| 'self-import'
	| 'wallet'
	| IndexName;

interface Capability {
	id: CapabilityId;
	what: string;
	/** Null when that is not known. */
	can: boolean | null;
	/** What that follows from, as a sentence. */
	says: string;
	/** Methods that it is about. */
	methods: readonly string[];
}

/** What `getinfo` says, as far as it matters here. */
export interface Identity {
	/** 0 on a chain without crypto-conditions. */
	ccid: number;
	blocks: number | null;
	/** Height of Sapling; below 0 while that is not known, null when it is not told. */
	sapling: number | null;
	pubkey: string | null;
	hasWallet: boolean;
	/** Number of the notary whose key the daemon runs with; below 0 for none. */
	notaryId: number;
}

interface CapabilityFacts {
	isMain: boolean;
	/** Null while `getinfo` is not answered. */
	identity: Identity | null;
	indexes: Indexes;
	probes: Probes;
	/** How the chain's self-imports are configured; null when nobody looked. */
	importMode: ImportMode | null;
}

const FIRST_SHARED_ID = 100;
const LAST_SHARED_ID = 65_535;

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
const INDEX_TITLES: Readonly<Record<IndexName, string>> = {
	txindex: 'Find transactions by txid',
	addressindex: 'Find what an address holds',
	spentindex: 'Say what spent an output',
	timestampindex: 'Find blocks by time'
};

type Verdict = Pick<Capability, 'can' | 'says'>;

const no = (says: string): Verdict => ({ can: false, says });
const yes = (says: string): Verdict => ({ can: true, says });
const UNKNOWN: Verdict = { can: null, says: 'getinfo was not answered.' };

/** A method that has to be served for the rest to count. */
function probed(told: Told<boolean>, method: string, then: Verdict): Verdict {
	if (then.can !== true) return then;
	if (told.kind !== 'told') return { can: null, says: `${method} was not answered: ${told.words}` };
	return told.value ? then : no(`The daemon does not serve ${method}.`);
}

/** What building needs of the daemon itself; null when nothing is missing. */
function cannotBuild({ pubkey, hasWallet }: Identity, indexes: Indexes): Verdict | null {
	if (!hasWallet) return no('The daemon runs without a wallet.');
	if (pubkey === null) return no('The daemon runs without -pubkey.');
	const off = BUILDING.filter((name) => indexes[name].kind === 'told' && !indexes[name].value);
	return off.length === 0
		? null
		: no(`The daemon runs without ${off.join(' and ')}, which release 0.9.0 needs to build.`);
}

function tokens(identity: Identity, indexes: Indexes, { tokens: told }: Probes): Verdict {
	if (identity.ccid === 0) return no('The chain has no ac_cc.');
	const built = cannotBuild(identity, indexes) ?? yes(`The chain has ac_cc=${identity.ccid}.`);
	return probed(told, 'tokeninfo', built);
}

function migration(identity: Identity, indexes: Indexes, { migration: told }: Probes): Verdict {
	const { ccid } = identity;
	if (ccid < FIRST_SHARED_ID || ccid > LAST_SHARED_ID) {
		return no(
			`Coins move between chains with one CCid from ${FIRST_SHARED_ID} to ${LAST_SHARED_ID}; this chain has ${ccid === 0 ? 'none' : ccid}.`
		);
	}
	const built = cannotBuild(identity, indexes) ?? yes(`The chain has the CCid ${ccid}.`);
	return probed(told, 'getimports', built);
}

function selfImport({ pubkey }: Identity, { mode, pubkey: issuer }: ImportMode): Verdict {
	if (mode === null) return { can: null, says: 'ac_import is not configured here.' };
	if (mode !== 'PUBKEY') return no(`The chain has ac_import=${mode}.`);
	if (issuer === null) return { can: null, says: 'ac_pubkey is not configured here.' };
	return pubkey?.toLowerCase() === issuer
		? yes('The daemon runs with the key of ac_pubkey.')
		: no('The daemon does not run with the key of ac_pubkey.');
}

/** Sapling is active, will be, or nobody knows when. */
function sapling({ sapling: height, blocks }: Identity): Verdict {
	if (height === null || blocks === null) return { can: null, says: 'getinfo does not tell.' };
	if (height < 0) return no('The height of Sapling is not known yet.');
	return height <= blocks
		? yes(`Active since block ${height}.`)
		: no(`Sapling begins at block ${height}, and the chain is at ${blocks}.`);
}

/** Everything that a daemon of this chain could do, and whether it can. */
export function capabilitiesOf(facts: CapabilityFacts): Capability[] {
	const { isMain, identity, indexes, probes, importMode } = facts;
	const of = (judge: (identity: Identity) => Verdict): Verdict =>
		identity === null ? UNKNOWN : judge(identity);
	const builds = (identity?.ccid ?? 0) !== 0;
	const list: Capability[] = [
		{
			id: 'read',
			what: 'Read blocks',
			...of(({ blocks }) => yes(blocks === null ? 'getinfo was answered.' : `At block ${blocks}.`)),
			methods: ['getblock', 'getblockheader', 'getrawmempool']
		},
		{ id: 'sapling', what: 'Sapling transactions', ...of(sapling), methods: [] },
		{
			id: 'tokens',
			what: 'Tokens',
			...of((one) => tokens(one, indexes, probes)),
			methods: ['tokencreate', 'tokentransfer', 'tokeninfo', 'tokenlist']
		}
	];
	if (isMain) {
		list.push({
			id: 'completion',
			what: 'Complete the proof of an import',
			...of(() =>
				probed(
					probes.completion,
					'getNotarisationsForBlock',
					yes('getNotarisationsForBlock is answered.')
				)
			),
			methods: ['migrate_completeimporttransaction', 'MoMoMdata', 'getNotarisationsForBlock']
		});
	} else {
		list.push(
			{
				id: 'migration',
				what: 'Migrations',
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
				what: 'Notary approvals',
				...of(({ notaryId }) =>
					notaryId < 0
						? no('The daemon does not run with the key of a notary.')
						: yes(`The daemon runs with the key of notary ${notaryId}.`)
				),
				methods: ['migrate_createnotaryapprovaltransaction']
			}
		);
		if (importMode !== null) {
			list.push({
				id: 'self-import',
				what: 'Self-imports',
				...of((one) => selfImport(one, importMode)),
				methods: ['selfimport']
			});
		}
	}
	list.push({
		id: 'wallet',
		what: 'Sign with a wallet',
		...of(({ hasWallet }) =>
			hasWallet ? yes('getinfo tells a balance.') : no('The daemon runs without a wallet.')
		),
		methods: ['listunspent', 'signrawtransaction', 'sendtoaddress']
	});
	for (const name of INDEX_NAMES) {
		const fact = indexFact(name, indexes[name], builds);
		list.push({
			id: name,
			what: INDEX_TITLES[name],
			can: fact.on,
			says: indexSentence(fact, name),
			methods: INDEX_METHODS[name]
		});
	}
	return list;
}
