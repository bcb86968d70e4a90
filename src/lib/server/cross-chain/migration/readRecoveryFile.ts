/**
 * Reads a recovery file. The file is untrusted: it only says where to look. The burn is read from its chain, with
 * its route and amounts; the file's payouts are used if their hash is in the burn. No transaction of the file is
 * ever sent, and none of its steps counts as done.
 */
import { z } from 'zod';
import { isValidAddress } from '#lib/chain/address.ts';
import { isPubkeyText } from '#lib/chain/idText.ts';
import { readableTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { RecoveryFault } from '#lib/messages/migration/recoveryFaults.ts';
import { RECOVERY_FILE_FORMAT, RECOVERY_FILE_VERSION } from './recoveryFile.ts';
import { STEP_IDS } from './steps.ts';

/** Characters; the raw transactions of a whole route have far fewer. */
export const MOST_CHARACTERS = 1_000_000;

const Txid = z.string().regex(/^[0-9a-f]{64}$/);
const Hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);
const Time = z.int().nonnegative();
const Symbol = z.string().min(1).max(64);

const RecoveryFile = z.strictObject({
	format: z.literal(RECOVERY_FILE_FORMAT),
	version: z.literal(RECOVERY_FILE_VERSION),
	id: z.string().max(64),
	route: z.string().max(32),
	source: Symbol,
	destination: Symbol,
	ccid: z.int().nonnegative(),
	address: z.string().max(128),
	tokenid: Txid.nullable(),
	amount: z.string().regex(/^\d{1,20}(?:\.\d{8})?$/),
	payouts: Hex.nullable(),
	burnTxid: Txid.nullable(),
	policy: z.string().max(32),
	state: z.string().max(64),
	createdAt: Time,
	steps: z
		.array(
			z.strictObject({
				step: z.enum(STEP_IDS),
				hex: Hex.nullable(),
				txid: Txid.nullable(),
				evidence: z.record(z.string(), z.unknown()),
				startedAt: Time.nullable(),
				doneAt: Time.nullable()
			})
		)
		.max(STEP_IDS.length)
});

/** Where the burn is, according to a recovery file. */
interface RecoveryHint {
	txid: string;
	/** The source chain. */
	chain: string;
	/** Recipient, an address or a key; empty when the file has no valid one. */
	address: string;
	/** Serialized payouts, hex; empty when the file has none. */
	payouts: string;
}

type RecoveryFileRead = { ok: true; hint: RecoveryHint } | { ok: false; fault: RecoveryFault };

const refused = (fault: RecoveryFault): RecoveryFileRead => ({ ok: false, fault });

/** Steps whose bytes are those of the transaction with their txid. */
const SENT: ReadonlySet<string> = new Set(['burn', 'import-sent']);

/** Whether the bytes of every sent transaction match the txid of its step. */
function agrees({ steps }: z.infer<typeof RecoveryFile>): boolean {
	return steps.every(({ step, hex, txid }) => {
		if (!SENT.has(step)) return true;
		if (hex === null || hex === '' || txid === null) return true;
		const tx = readableTransaction(hex);
		return tx !== null && txidOf(tx) === txid;
	});
}

/**
 * Extracts the hint from a recovery file.
 * @param chains the configured chains
 */
export function readRecoveryFile(text: string, chains: readonly string[]): RecoveryFileRead {
	if (text.length > MOST_CHARACTERS) {
		return refused({ code: 'too-long', characters: text.length, most: MOST_CHARACTERS });
	}
	let content: unknown;
	try {
		content = JSON.parse(text);
	} catch {
		return refused({ code: 'not-json' });
	}
	const read = RecoveryFile.safeParse(content);
	if (!read.success) return refused({ code: 'not-a-file' });
	const { source, destination, burnTxid, address, payouts } = read.data;
	const missing = [source, destination].find((chain) => !chains.includes(chain));
	if (missing !== undefined || source === destination) return refused({ code: 'other-chains' });
	if (burnTxid === null) return refused({ code: 'not-burned' });
	if (!agrees(read.data)) return refused({ code: 'other-bytes' });
	const burn = read.data.steps.find(({ step }) => step === 'burn');
	if (burn !== undefined && burn.txid !== null && burn.txid !== burnTxid) {
		return refused({ code: 'two-burns' });
	}
	const recipient = isValidAddress(address) || isPubkeyText(address) ? address : '';
	return {
		ok: true,
		hint: { txid: burnTxid, chain: source, address: recipient, payouts: payouts ?? '' }
	};
}
