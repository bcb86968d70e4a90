/** A published burn: all that a notary operator needs, read from what the migration stores. */
import type { Satoshi } from '#lib/chain/amount.ts';
import { parseBurn, parsePayouts } from '#lib/chain/burn.ts';
import { classify } from '#lib/chain/script.ts';
import { parseTransaction, txidOf } from '#lib/chain/transaction.ts';
import { COMMANDS } from '#lib/messages/notary-approvals/commands.ts';
import { ARRIVED, type MigrationState } from '../migration/states.ts';
import type { MigrationRecord } from '../migration/migrationRecord.ts';

/** One output that the import will create. */
export interface Payout {
	/** Null when the script pays to no address. */
	address: string | null;
	/** Satoshi; of a token units. */
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
	/** The daemon that is asked about the burn, and the one that is asked about approvals. */
	sourceDaemon: string;
	destinationDaemon: string;
	ccid: number;
	/** What is destroyed on the source: the coins and the fee of the import. Satoshi. */
	burned: Satoshi;
	/** Satoshi that arrive; of a token units. */
	amount: Satoshi;
	/** The token that is burned; null for coins. */
	tokenid: string | null;
	/** The block of the source that holds the burn; null while none does. */
	sourceHeight: number | null;
	sourceBlock: string | null;
	/** No import of the burn lies below this block of the destination. */
	importScanFrom: bigint;
	state: MigrationState;
	/** Approvals are waited for. */
	open: boolean;
	publishedBy: string;
	/** Unix milliseconds. */
	publishedAt: number;
}

/** Nothing comes after these: approvals change nothing any more. */
export const CLOSED: readonly MigrationState[] = [...ARRIVED, 'discarded'];

/** The published burn of a migration; null when it was not published. */
export function publicationOf({ row, steps }: MigrationRecord): Publication | null {
	const burnHex = steps.get('burn')?.hex;
	const { publishedAt, publishedBy } = steps.get('approvals')?.evidence ?? {};
	// Before a block holds the burn there is nothing to approve, and its bytes are no affair of the public.
	const isMined = Boolean(steps.get('burn-confirmed')?.doneAt);
	if (row.path !== 'backup' || row.state === 'discarded' || !isMined) return null;
	if (!burnHex || row.payouts === null || typeof publishedAt !== 'number') return null;
	const tx = parseTransaction(burnHex);
	const burn = parseBurn(tx);
	if (!burn) return null;
	// Since a reorganization took the burn's block back it is looked for, and no block holds it.
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

/** A step of a notary operator: what is done, and the command that does it. */
export interface Command {
	what: string;
	/** Words of the command line; in `<angle brackets>` what an earlier step gave. */
	command: string;
}

/** A word for a POSIX shell. Names of chains may hold any character. */
const word = (text: string): string =>
	/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * What a notary operator runs with the daemons' own command line.
 * @param origin where the approval's id is posted, such as `https://komodeck.example`
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

/** Where approvals of a burn are posted. */
export const approvalsPath = (burnTxid: string): string => `/api/notary-approvals/${burnTxid}`;
