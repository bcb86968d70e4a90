/** Determines what a daemon and its chain need for tokens and migrations, and what is missing. Pure. */
import { isMainChain } from '#lib/chain/mainChain.ts';
import { INDEX_NAMES, type IndexName } from '#lib/messages/daemonIndexes.ts';
import type { NeedFinding, NeedGroupId, NeedId } from '#lib/messages/needs.ts';
import type { Dialect } from '#lib/rpc/codec.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { ImportMode } from './importMode.ts';
import { BUILDING, indexFact } from './indexes.ts';
import { HIGHEST_CCID, leastCcid } from '../daemon/sharedCcid.ts';
import type { DaemonAnswers, Told } from './read.ts';
import { DEFAULT_RELAY_BYTES, SCRIPT_BYTES } from './relayLimits.ts';

/**
 * - `ok`: present
 * - `missing`: absent, and what the group is about cannot work
 * - `warn`: works with a restriction
 * - `unknown`: not reported by the daemon; it can be configured or tried
 */
export type NeedStatus = 'ok' | 'missing' | 'warn' | 'unknown';

/** The state of one need; its text is in `lib/messages`. */
export type Need = NeedFinding & { readonly id: NeedId; readonly status: NeedStatus };

interface NeedGroup {
	id: NeedGroupId;
	needs: Need[];
}

/** What is known about a daemon besides its answers. */
export interface Surroundings {
	chain: string;
	/** The daemon's dialect. */
	dialect: Dialect;
	dataCarrierSize: number | null;
	importMode: ImportMode;
	/** Names of other configured chains with the same CCid. */
	siblings: readonly string[];
	/** Whether a daemon of the main chain is configured. */
	hasMain: boolean;
}

type Info = DaemonResult<'getinfo'>;
type Found = NeedFinding & { readonly status: NeedStatus };

/** Bytes of a complete import of coins. (Komodo daemon 0.9.0: 585 in the public example.) */
const IMPORT_BYTES = 600;

const NOT_REPORTED: Found = { status: 'unknown', code: 'not-reported', params: {} };

/** Returns a need that is determined from `getinfo`. */
function told(id: NeedId, { info }: DaemonAnswers, find: (info: Info) => Found): Need {
	return { id, ...(info.kind === 'told' ? find(info.value) : NOT_REPORTED) };
}

function pubkeyNeed(info: Info): Found {
	const pubkey = reported(info, 'pubkey');
	if (pubkey === null) return NOT_REPORTED;
	return pubkey === undefined
		? { status: 'missing', code: 'pubkey.none', params: {} }
		: { status: 'ok', code: 'pubkey.set', params: { pubkey } };
}

function walletNeed(info: Info): Found {
	// Only an encrypted wallet has a time until which it is unlocked.
	const until = reported(info, 'unlocked_until');
	if (reported(info, 'balance') === undefined)
		return { status: 'missing', code: 'wallet.none', params: {} };
	if (until === null) return NOT_REPORTED;
	return until === 0
		? { status: 'missing', code: 'wallet.locked', params: {} }
		: { status: 'ok', code: 'wallet.open', params: {} };
}

function saplingNeed(info: Info): Found {
	const blocks = reported(info, 'blocks');
	const height = reported(info, 'sapling');
	if (height === null || blocks === null) return NOT_REPORTED;
	if (height < 0) return { status: 'missing', code: 'sapling.no-height', params: {} };
	return blocks >= height
		? { status: 'ok', code: 'sapling.active', params: { height } }
		: { status: 'missing', code: 'sapling.ahead', params: { height, blocks } };
}

function modulesNeed(info: Info, chain: string): Found {
	const ccid = reported(info, 'CCid');
	if (ccid === null) return NOT_REPORTED;
	return (ccid ?? 0) === 0
		? { status: 'missing', code: 'modules.off', params: { chain, isMain: isMainChain(chain) } }
		: { status: 'ok', code: 'modules.on', params: { ccid: ccid ?? 0 } };
}

function sharedCcidNeed(info: Info, { siblings, dialect }: Surroundings): Found {
	const told = reported(info, 'CCid');
	if (told === null) return NOT_REPORTED;
	const ccid = told ?? 0;
	if (ccid < leastCcid(dialect))
		return { status: 'missing', code: 'ccid.too-small', params: { ccid } };
	if (ccid > HIGHEST_CCID) return { status: 'missing', code: 'ccid.too-large', params: { ccid } };
	if (siblings.length === 0) return { status: 'warn', code: 'ccid.alone', params: { ccid } };
	// Daemons that follow the interface document do not accept 100.
	const status = ccid === 100 ? 'warn' : 'ok';
	return { status, code: 'ccid.shared', params: { ccid, siblings } };
}

function notarizedNeed(info: Info): Found {
	const height = reported(info, 'notarized');
	if (height === null) return NOT_REPORTED;
	return height > 0
		? { status: 'ok', code: 'notarizations.some', params: { height } }
		: { status: 'missing', code: 'notarizations.none', params: {} };
}

function relayNeed({ chain, dataCarrierSize: relays }: Surroundings): Found {
	const facts = { chain, wanted: SCRIPT_BYTES, importBytes: IMPORT_BYTES };
	if (relays === null) {
		const usual = isMainChain(chain) ? DEFAULT_RELAY_BYTES.main : DEFAULT_RELAY_BYTES.asset;
		return { status: 'unknown', code: 'relay.unknown', params: { ...facts, usual } };
	}
	if (relays < IMPORT_BYTES) {
		return { status: 'missing', code: 'relay.too-small', params: { ...facts, relays } };
	}
	return relays < SCRIPT_BYTES
		? { status: 'warn', code: 'relay.tokens-large', params: { ...facts, relays } }
		: { status: 'ok', code: 'relay.enough', params: { relays } };
}

/** Indexes whose absence is reported as a restriction, unless building tokens and burns on the chain needs them. */
const OPTIONAL: readonly IndexName[] = ['spentindex', 'timestampindex'];

function indexNeed(name: IndexName, answers: DaemonAnswers): Need {
	const { info } = answers;
	const builds = info.kind === 'told' && (reported(info.value, 'CCid') ?? 0) !== 0;
	const fact = indexFact(name, answers[name], builds);
	const isRestriction = OPTIONAL.includes(name) && !(builds && BUILDING.includes(name));
	const status = {
		on: 'ok',
		off: isRestriction ? 'warn' : 'missing',
		unknown: 'unknown'
	} as const;
	return { id: name, status: status[fact.state], code: 'index', params: fact };
}

/** Whether the daemon serves a family of methods, which was probed by calling one of them. */
function servedNeed(id: NeedId, method: string, served: Told<boolean>): Need {
	if (served.kind !== 'told') return { id, ...NOT_REPORTED };
	return served.value
		? { id, status: 'ok', code: 'methods.served', params: { method } }
		: { id, status: 'missing', code: 'methods.missing', params: { method } };
}

const mainNeed = ({ hasMain }: Surroundings): Found =>
	hasMain
		? { status: 'ok', code: 'main.configured', params: {} }
		: { status: 'missing', code: 'main.missing', params: {} };

function modeNeed(chain: string, mode: string | null): Found {
	if (mode === null) return { status: 'unknown', code: 'self-import.unset', params: {} };
	return mode === 'PUBKEY'
		? { status: 'ok', code: 'self-import.by-pubkey', params: {} }
		: { status: 'missing', code: 'self-import.other-mode', params: { chain, mode } };
}

function selfImportNeeds({ info }: DaemonAnswers, { chain, importMode }: Surroundings): Need[] {
	const { mode, pubkey } = importMode;
	const needs: Need[] = [{ id: 'ac_import', ...modeNeed(chain, mode) }];
	if (mode === null && pubkey === null) return needs;
	const id = 'ac_pubkey';
	if (pubkey === null) {
		needs.push({ id, status: 'unknown', code: 'self-import.unset', params: {} });
	} else if (info.kind === 'told') {
		const own = reported(info.value, 'pubkey');
		if (own === null) needs.push({ id, ...NOT_REPORTED });
		else if (own === pubkey)
			needs.push({ id, status: 'ok', code: 'self-import.own-key', params: {} });
		else needs.push({ id, status: 'missing', code: 'self-import.other-key', params: { pubkey } });
	}
	return needs;
}

/** Returns all needs, grouped by purpose. */
export function needsOf(answers: DaemonAnswers, around: Surroundings): NeedGroup[] {
	const { chain } = around;
	const { probes } = answers;
	const reading: NeedGroup = {
		id: 'reading',
		needs: INDEX_NAMES.map((name) => indexNeed(name, answers))
	};
	const modules = told('ac_cc', answers, (info) => modulesNeed(info, chain));
	const sapling = told('sapling', answers, saplingNeed);
	if (isMainChain(chain)) {
		const method = 'getNotarisationsForBlock';
		return [
			reading,
			{ id: 'tokens', needs: [modules] },
			{
				id: 'migrations',
				needs: [sapling, servedNeed('completion-methods', method, probes.completion)]
			}
		];
	}
	const building = [
		told('wallet', answers, walletNeed),
		told('pubkey', answers, pubkeyNeed),
		...BUILDING.map((name) => indexNeed(name, answers)),
		sapling
	];
	return [
		reading,
		{
			id: 'tokens',
			needs: [modules, ...building, servedNeed('token-methods', 'tokeninfo', probes.tokens)]
		},
		{
			id: 'migrations',
			needs: [
				told('shared-ccid', answers, (info) => sharedCcidNeed(info, around)),
				...building,
				told('notarizations', answers, notarizedNeed),
				{ id: 'datacarriersize', ...relayNeed(around) },
				{ id: 'main-daemon', ...mainNeed(around) },
				servedNeed('migration-methods', 'getimports', probes.migration)
			]
		},
		{ id: 'self-imports', needs: selfImportNeeds(answers, around) }
	];
}
