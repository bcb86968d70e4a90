/** A published burn: everything that a notary operator needs, from the stored migration. */
import type { Satoshi } from '#lib/chain/amount.ts';
import { parseBurn, parsePayouts } from '#lib/chain/burn.ts';
import { classify } from '#lib/chain/script.ts';
import { parseTransaction, txidOf } from '#lib/chain/transaction.ts';
import { COMMANDS } from '#lib/messages/notary-approvals/commands.ts';
import { ARRIVED, type MigrationState } from '../migration/states.ts';
import type { MigrationRecord } from '../migration/migrationRecord.ts';

/** An output that the import will create. */
export interface Payout {
	/** Null when the script has no address. */
	address: string | null;
	/** Satoshi, or units of a token. */
	value: Satoshi;
}

export interface Publication {
	/** The migration that published it. */
	migration: string;
	burnTxid: string;
	/** The signed burn. */
	burnHex: string;
	/** Serialized outputs of the import, hex. */
	payouts: string;
	outputs: Payout[];
	source: string;
	destination: string;
	/** The daemons that are asked about the burn, and about approvals. */
	sourceDaemon: string;
	destinationDaemon: string;
	ccid: number;
	/** Satoshi destroyed on the source: the coins and the import fee. */
	burned: Satoshi;
	/** Satoshi that arrive, or units of a token. */
	amount: Satoshi;
	/** The token that is burned; null for coins. */
	tokenid: string | null;
	/** The block of the source that contains the burn; null while there is none. */
	sourceHeight: number | null;
	sourceBlock: string | null;
	/** First block of the destination that may contain an import of the burn. */
	importScanFrom: bigint;
	state: MigrationState;
	/** Whether approvals are awaited. */
	open: boolean;
	publishedBy: string;
	/** Unix milliseconds. */
	publishedAt: number;
}

/** Final states, in which approvals are no longer needed. */
export const CLOSED: readonly MigrationState[] = [...ARRIVED, 'discarded'];

/** Returns the published burn of a migration; null when it is not published. */
export function publicationOf({ row, steps }: MigrationRecord): Publication | null {
	const burnHex = steps.get('burn')?.hex;
	const { publishedAt, publishedBy } = steps.get('approvals')?.evidence ?? {};
	// Before the burn is in a block it cannot be approved, and its bytes must not become public.
	const isMined = Boolean(steps.get('burn-confirmed')?.doneAt);
	if (row.path !== 'backup' || row.state === 'discarded' || !isMined) return null;
	if (!burnHex || row.payouts === null || typeof publishedAt !== 'number') return null;
	const tx = parseTransaction(burnHex);
	const burn = parseBurn(tx);
	if (!burn) return null;
	// A reorganization removed the burn's block, and it is in no other yet.
	const isLost = row.state === 'burn-unknown' || row.state === 'burn-pending';
	const place = isLost ? undefined : steps.get('burn-confirmed')?.evidence;
	const { height, blockhash } = place ?? {};
	const creation = burn.tokenCreationTx;
	return {
		migration: row.id,
		burnTxid: txidOf(tx),
		burnHex,
		payouts: row.payouts,
		outputs: parsePayouts(row.payouts).map(({ value, script }) => ({
			value,
			address: classify(script).address ?? null
		})),
		source: row.source,
		destination: row.destination,
		sourceDaemon: row.source_daemon,
		destinationDaemon: row.destination_daemon,
		ccid: Number(row.ccid),
		burned: burn.value,
		amount: row.amount,
		tokenid: creation ? txidOf(creation) : null,
		sourceHeight: typeof height === 'number' ? height : null,
		sourceBlock: typeof blockhash === 'string' ? blockhash : null,
		importScanFrom: row.import_scan_from,
		state: row.state,
		open: row.state === 'backup-collecting',
		publishedBy: typeof publishedBy === 'string' ? publishedBy : '',
		publishedAt
	};
}

/** A step of a notary operator, with its command. */
export interface Command {
	what: string;
	/** The command line; `<angle brackets>` mark results of an earlier step. */
	command: string;
}

/** Quotes a word for a POSIX shell. Chain names may contain any character. */
const word = (text: string): string =>
	/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns the commands that a notary operator runs with `komodo-cli`.
 * @param origin where the approval is submitted, such as `https://komodeck.example`
 */
export function commandsOf(burn: Publication, origin: string): Command[] {
	const on = (chain: string): string => `komodo-cli -ac_name=${word(chain)}`;
	return [
		{
			what: COMMANDS.check(burn.source),
			command: `${on(burn.source)} migrate_checkburntransactionsource ${burn.burnTxid}`
		},
		{
			what: COMMANDS.build(burn.destination),
			command: `${on(burn.destination)} migrate_createnotaryapprovaltransaction ${burn.burnTxid} <TxOutProof>`
		},
		{
			what: COMMANDS.send(burn.destination),
			command: `${on(burn.destination)} sendrawtransaction <NotaryTxHex>`
		},
		{
			what: COMMANDS.give(),
			command: `curl -H 'content-type: application/json' -d '{"txid":"<txid>"}' ${word(`${origin}${approvalsPath(burn.burnTxid)}`)}`
		}
	];
}

/** Path to which approvals of a burn are posted. */
export const approvalsPath = (burnTxid: string): string => `/api/notary-approvals/${burnTxid}`;
