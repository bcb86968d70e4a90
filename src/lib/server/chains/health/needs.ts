/** What a daemon and its chain need for tokens and migrations, what is missing, and how to mend it. Pure. */
import type { ImportMode } from './importMode.ts';
import { INDEX_NAMES, indexFact, indexSentence, switchOn, type IndexName } from './indexes.ts';
import type { DaemonAnswers, Told } from './read.ts';
import { DEFAULT_RELAY_BYTES, SCRIPT_BYTES } from './relayLimits.ts';

/**
 * - `ok`: it is there
 * - `missing`: it is not, and what the group is about cannot work
 * - `warn`: it works with a restriction
 * - `unknown`: nothing tells; it can be configured or tried
 */
export type Standing = 'ok' | 'missing' | 'warn' | 'unknown';

export interface Need {
	what: string;
	standing: Standing;
	/** What is so, as a sentence. */
	says: string;
	/** What to do; null when nothing has to be done. */
	mend: string | null;
}

interface NeedGroup {
	title: string;
	needs: Need[];
}

/** What is known of a daemon beside its answers. */
export interface Surroundings {
	chain: string;
	dataCarrierSize: number | null;
	importMode: ImportMode;
	/** Names of other configured chains with the same CCid. */
	siblings: readonly string[];
	/** A daemon of the main chain is configured. */
	hasMain: boolean;
}

const MAIN = 'KMD';
/** Bytes of a complete import of coins. (Komodo daemon 0.9.0: 585 in the public example.) */
const IMPORT_BYTES = 600;

const CHAIN_PARAMETER =
	'It is a parameter of the whole chain, which every node has to be started with: it cannot be changed for one daemon.';

function infoOf({ info }: DaemonAnswers) {
	return info.kind === 'told' ? info.value : null;
}

const silent = (what: string): Need => ({
	what,
	standing: 'unknown',
	says: 'The daemon has not told.',
	mend: null
});

function pubkeyNeed(answers: DaemonAnswers): Need {
	const what = 'pubkey';
	const info = infoOf(answers);
	if (info === null) return silent(what);
	return info.pubkey === undefined
		? {
				what,
				standing: 'missing',
				says: 'It runs without a pubkey, so it builds neither tokens nor burns.',
				mend: 'Start it with -pubkey= and the public key of one of its wallet’s keys (66 hex digits), or call setpubkey once.'
			}
		: {
				what,
				standing: 'ok',
				says: `It works with the key ${info.pubkey.slice(0, 10)}….`,
				mend: null
			};
}

function walletNeed(answers: DaemonAnswers): Need {
	const what = 'wallet';
	const info = infoOf(answers);
	if (info === null) return silent(what);
	if (info.balance === undefined) {
		return {
			what,
			standing: 'missing',
			says: 'It runs without a wallet: it can be read, and builds nothing.',
			mend: 'Start it without -disablewallet.'
		};
	}
	// Only an encrypted wallet has a time until which it is unlocked.
	if (info.unlocked_until === 0) {
		return {
			what,
			standing: 'missing',
			says: 'Its wallet is locked: what it builds is not signed.',
			mend: 'Unlock it with walletpassphrase at the daemon.'
		};
	}
	return { what, standing: 'ok', says: 'Its wallet is there and not locked.', mend: null };
}

function saplingNeed(answers: DaemonAnswers): Need {
	const what = 'Sapling';
	const info = infoOf(answers);
	if (info === null) return silent(what);
	if (info.sapling >= 0 && info.blocks >= info.sapling) {
		return { what, standing: 'ok', says: `Active since block ${info.sapling}.`, mend: null };
	}
	return {
		what,
		standing: 'missing',
		says:
			info.sapling < 0
				? 'It is not known when Sapling begins on this chain.'
				: `Sapling begins at block ${info.sapling}, and the chain is at ${info.blocks}.`,
		mend: 'Wait until it is active: what is built before would be refused after.'
	};
}

function tokenModule(answers: DaemonAnswers, { chain }: Surroundings): Need {
	const what = 'ac_cc';
	const info = infoOf(answers);
	if (info === null) return silent(what);
	const ccid = info.CCid ?? 0;
	if (ccid !== 0) return { what, standing: 'ok', says: `The chain has ac_cc=${ccid}.`, mend: null };
	return {
		what,
		standing: 'missing',
		says: `${chain} was started without ac_cc: outputs with conditions cannot be spent, so there are no tokens.`,
		mend: chain === MAIN ? 'KMD has no tokens. Use an asset chain.' : CHAIN_PARAMETER
	};
}

function fungibleNeed(answers: DaemonAnswers, { siblings }: Surroundings): Need {
	const what = 'ac_cc of 100 or more';
	const info = infoOf(answers);
	if (info === null) return silent(what);
	const ccid = info.CCid ?? 0;
	if (ccid < 100 || ccid > 65_535) {
		return {
			what,
			standing: 'missing',
			says:
				ccid < 100
					? `The chain's id (ac_cc) is ${ccid}: its coins are not exchangeable with those of another chain.`
					: `The chain's id (ac_cc) is ${ccid}: notarizations carry 16 bits of it only.`,
			mend: `Coins move between chains of one id from 101 to 65535. ${CHAIN_PARAMETER}`
		};
	}
	if (siblings.length === 0) {
		return {
			what,
			standing: 'warn',
			says: `The id is ${ccid}, and no other chain that is configured here has it.`,
			mend: 'Configure a daemon of a chain with the same ac_cc.'
		};
	}
	const reach = `The id is ${ccid}, as that of ${siblings.join(', ')}.`;
	return ccid === 100
		? {
				what,
				standing: 'warn',
				says: `${reach} The interface document asks for more than 100, release 0.9.0 takes 100.`,
				mend: null
			}
		: { what, standing: 'ok', says: reach, mend: null };
}

function notarizedNeed(answers: DaemonAnswers): Need {
	const what = 'notarizations';
	const info = infoOf(answers);
	if (info === null) return silent(what);
	return info.notarized > 0
		? { what, standing: 'ok', says: `Notarized up to block ${info.notarized}.`, mend: null }
		: {
				what,
				standing: 'missing',
				says: 'The chain was never notarized: a burn on it cannot be proven on another chain.',
				mend: 'Only the backup route is left, with the approvals of five notaries.'
			};
}

function carrierNeed({ chain, dataCarrierSize }: Surroundings): Need {
	const what = 'datacarriersize';
	const usual = chain === MAIN ? DEFAULT_RELAY_BYTES.main : DEFAULT_RELAY_BYTES.asset;
	const mend = `Start every daemon that relays or mines for ${chain} with datacarriersize=${SCRIPT_BYTES}.`;
	if (dataCarrierSize === null) {
		return {
			what,
			standing: 'unknown',
			says: `No method tells it, and it is not configured. Without it release 0.9.0 relays ${usual} bytes, and an import has about ${IMPORT_BYTES}: it would be refused with “64: scriptpubkey”.`,
			mend: `${mend} Then write it into the configuration here.`
		};
	}
	if (dataCarrierSize < IMPORT_BYTES) {
		return {
			what,
			standing: 'missing',
			says: `It relays ${dataCarrierSize} bytes, and an import has about ${IMPORT_BYTES}: it is refused with “64: scriptpubkey”.`,
			mend
		};
	}
	return dataCarrierSize < SCRIPT_BYTES
		? {
				what,
				standing: 'warn',
				says: `It relays ${dataCarrierSize} bytes: imports of coins pass, larger ones of tokens may not.`,
				mend
			}
		: { what, standing: 'ok', says: `It relays ${dataCarrierSize} bytes.`, mend: null };
}

/** What works without the index: it is a restriction, and nothing is missing. */
const OPTIONAL: readonly IndexName[] = ['spentindex', 'timestampindex'];

function indexNeed(what: IndexName, answers: DaemonAnswers): Need {
	const builds = (infoOf(answers)?.CCid ?? 0) !== 0;
	const fact = indexFact(what, answers[what], builds);
	const { on } = fact;
	const says = indexSentence(fact, what);
	if (on === null) return { what, standing: 'unknown', says, mend: null };
	if (on) return { what, standing: 'ok', says, mend: null };
	const standing = OPTIONAL.includes(what) ? 'warn' : 'missing';
	return { what, standing, says, mend: switchOn(what) };
}

/** Whether the daemon serves a family of methods, of which one was asked for. */
function servedNeed(what: string, method: string, told: Told<boolean>): Need {
	if (told.kind !== 'told') return silent(what);
	return told.value
		? { what, standing: 'ok', says: `The daemon answers ${method}.`, mend: null }
		: {
				what,
				standing: 'missing',
				says: `The daemon does not serve ${method}.`,
				mend: 'Use a release of the daemon that has them (0.9.0 does).'
			};
}

function mainNeed({ hasMain }: Surroundings): Need {
	const what = 'daemon of KMD';
	return hasMain
		? { what, standing: 'ok', says: 'One is configured: imports are completed there.', mend: null }
		: {
				what,
				standing: 'missing',
				says: 'None is configured, and imports on the notarized route are completed on KMD.',
				mend: 'Configure a daemon of KMD. Without one only the backup route is left.'
			};
}

function importNeeds(answers: DaemonAnswers, { chain, importMode }: Surroundings): Need[] {
	const info = infoOf(answers);
	const { mode, pubkey } = importMode;
	const howTo =
		'Write it into KOMODECK_SELF_IMPORT, the daemon’s .conf file or the configuration here: no method tells it.';
	const needs: Need[] = [
		mode === null
			? { what: 'ac_import', standing: 'unknown', says: 'It is not configured here.', mend: howTo }
			: mode === 'PUBKEY'
				? { what: 'ac_import', standing: 'ok', says: 'PUBKEY: coins can be created.', mend: null }
				: {
						what: 'ac_import',
						standing: 'missing',
						says: `${chain} has ac_import=${mode}; only PUBKEY lets the owner of a key create coins.`,
						mend: CHAIN_PARAMETER
					}
	];
	if (mode === null && pubkey === null) return needs;
	if (pubkey === null) {
		needs.push({
			what: 'ac_pubkey',
			standing: 'unknown',
			says: 'It is not configured here.',
			mend: howTo
		});
	} else if (info !== null) {
		const own = info.pubkey?.toLowerCase() === pubkey;
		needs.push({
			what: 'ac_pubkey',
			standing: own ? 'ok' : 'missing',
			says: own ? 'It is the key of this daemon.' : `It is ${pubkey}, not the key of this daemon.`,
			mend: own ? null : 'Coins are created by the daemon that runs with this key.'
		});
	}
	return needs;
}

/** Everything that is checked, by what it is needed for. */
export function needsOf(answers: DaemonAnswers, around: Surroundings): NeedGroup[] {
	const building = [walletNeed(answers), pubkeyNeed(answers), saplingNeed(answers)];
	const main = around.chain === MAIN;
	return [
		{
			title: 'For reading',
			needs: INDEX_NAMES.map((name) => indexNeed(name, answers))
		},
		{
			title: 'For tokens',
			needs: main
				? [tokenModule(answers, around)]
				: [
						tokenModule(answers, around),
						...building,
						servedNeed('methods of the token module', 'tokeninfo', answers.probes.tokens)
					]
		},
		{
			title: 'For migrations',
			needs: main
				? [
						saplingNeed(answers),
						servedNeed(
							'methods of the main chain',
							'getNotarisationsForBlock',
							answers.probes.completion
						)
					]
				: [
						fungibleNeed(answers, around),
						...building,
						notarizedNeed(answers),
						carrierNeed(around),
						mainNeed(around),
						servedNeed('methods of migrations', 'getimports', answers.probes.migration)
					]
		},
		...(main ? [] : [{ title: 'For self-imports', needs: importNeeds(answers, around) }])
	];
}
