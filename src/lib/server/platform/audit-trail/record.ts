/**
 * The part of the audit log that is kept outside the database: each checkpoint, and the last event seen. Write
 * access to the database alone does not suffice to make a forged log agree with it.
 */
import {
	appendFileSync,
	closeSync,
	existsSync,
	fstatSync,
	openSync,
	readFileSync,
	readSync,
	renameSync,
	truncateSync
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import { giveToOwner } from '../disk/giveToOwner.ts';
import { makeFolder } from '../disk/makeFolder.ts';
import { onFile } from '../disk/onFile.ts';
import { syncFolder } from '../disk/syncFolder.ts';
import { replaceFile } from '../disk/wholeFile.ts';
import { AppError } from '../errors/appError.ts';

const Checkpoint = z.object({
	number: z.number(),
	first: z.number(),
	last: z.number(),
	rows: z.number(),
	lastHash: z.string(),
	previous: z.string(),
	sealedAt: z.number(),
	mac: z.string()
});
const Seen = z.object({ seq: z.number(), hash: z.string(), at: z.number(), mac: z.string() });

/** State of recorded rows according to the log, by the id of the row. */
const Rows = z.record(z.string(), z.record(z.string(), z.string().nullable()));
const Accounts = z.object({
	accounts: Rows,
	/** Safety controls that are on; absent in files of earlier versions. */
	controls: Rows.optional(),
	/** Ids of the rows that let a member sign in or use a wallet. */
	rights: z.array(z.string()).optional(),
	/** Rows of what admins decided and of recovery codes, by the id of the row. */
	decided: Rows.optional(),
	mac: z.string()
});

/** Accounts and safety controls as the log last recorded them, with an HMAC. */
export type StoredAccounts = z.infer<typeof Accounts>;
/** A checkpoint as it is stored in the file. */
export type StoredCheckpoint = z.infer<typeof Checkpoint>;
/** The last event of the log that was seen, with its HMAC. */
export type LastSeenEvent = z.infer<typeof Seen>;

/** Everything that is stored outside the database. */
export interface OutsideRecords {
	checkpoints: StoredCheckpoint[];
	end: LastSeenEvent | null;
	/** There is a file of the last seen event, and it cannot be parsed. */
	isEndUnreadable: boolean;
	/** Numbers (from 1) of the lines in the checkpoint file that could not be parsed. */
	unreadable: number[];
}

const FOLDER = 'audit';
const CHECKPOINTS = 'seals.jsonl';
const END = 'end.json';
const ACCOUNTS = 'accounts.json';
/** Bytes read from the end of the checkpoint file: more than two checkpoints take. */
const TAIL_BYTES = 4096;

interface OutsideRecord {
	/** Path of the folder, for display. */
	folder: string;
	read(): OutsideRecords;
	/** The last stored checkpoint and the last seen event. @throws {AppError} `audit.copy-unreadable` */
	last(): { checkpoint: StoredCheckpoint | null; end: LastSeenEvent | null };
	/** Appends the checkpoints that follow the last stored one. */
	addCheckpoints(checkpoints: readonly StoredCheckpoint[]): void;
	setEnd(end: LastSeenEvent): void;
	/** Last known state of the accounts and safety controls, needed for a restore; null when none is stored. */
	accounts(): StoredAccounts | null;
	setAccounts(accounts: StoredAccounts): void;
	/**
	 * Renames the folder because the log starts again from a backup. @returns the new path; null when there was
	 * no record
	 */
	putAway(at: Date): string | null;
}

const parsed = <T>(schema: z.ZodType<T>, text: string): T | null =>
	schema.safeParse(jsonOrNull(text)).data ?? null;

/** Opens the record in the data folder; nothing is created before the first write. */
export function openRecord(dataDir: string): OutsideRecord {
	const folder = join(dataDir, FOLDER);
	const checkpoints = join(folder, CHECKPOINTS);
	const end = join(folder, END);
	const accounts = join(folder, ACCOUNTS);
	const textOf = (file: string): string =>
		existsSync(file) ? onFile(file, () => readFileSync(file, 'utf8')) : '';
	function endOf(): Pick<OutsideRecords, 'end' | 'isEndUnreadable'> {
		const seen = parsed(Seen, textOf(end));
		return { end: seen, isEndUnreadable: seen === null && existsSync(end) };
	}
	/** Complete lines only: a killed process may have left a partial last line. */
	const lines = (): string[] => textOf(checkpoints).split('\n').slice(0, -1);

	const put = (file: string, value: unknown): void => replaceFile(file, JSON.stringify(value));

	/** The end of the file, long enough to hold the last two lines. */
	function tail(): { text: string; size: number } {
		if (!existsSync(checkpoints)) return { text: '', size: 0 };
		const handle = openSync(checkpoints, 'r');
		try {
			const { size } = fstatSync(handle);
			const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
			readSync(handle, bytes, 0, bytes.length, size - bytes.length);
			return { text: bytes.toString('latin1'), size };
		} finally {
			closeSync(handle);
		}
	}

	function last(): ReturnType<OutsideRecord['last']> {
		const line = tail().text.split('\n').at(-2);
		const checkpoint = line === undefined ? null : parsed(Checkpoint, line);
		if (line !== undefined && checkpoint === null) {
			throw new AppError('audit.copy-unreadable', { file: checkpoints });
		}
		const seen = endOf();
		if (seen.isEndUnreadable) throw new AppError('audit.copy-unreadable', { file: end });
		return { checkpoint, end: seen.end };
	}

	return {
		folder,
		read() {
			const record: OutsideRecords = {
				...endOf(),
				checkpoints: [],
				unreadable: []
			};
			for (const [at, line] of lines().entries()) {
				const checkpoint = parsed(Checkpoint, line);
				if (checkpoint === null) record.unreadable.push(at + 1);
				else record.checkpoints.push(checkpoint);
			}
			return record;
		},
		last,
		addCheckpoints(added) {
			makeFolder(folder);
			const { text, size } = tail();
			const half = text.length - (text.lastIndexOf('\n') + 1);
			if (half > 0) truncateSync(checkpoints, size - half);
			// The server and the command line may both have read the same end before they write.
			const known = last().checkpoint?.number ?? 0;
			const fresh = added
				.filter(({ number }) => number > known)
				.map((checkpoint) => `${JSON.stringify(checkpoint)}\n`);
			if (fresh.length === 0) return;
			onFile(checkpoints, () =>
				appendFileSync(checkpoints, fresh.join(''), { mode: 0o600, flush: true })
			);
			if (size > 0) return;
			giveToOwner(checkpoints);
			syncFolder(folder);
		},
		setEnd: (seen) => put(end, seen),
		accounts: () => parsed(Accounts, textOf(accounts)),
		setAccounts: (known) => put(accounts, known),
		putAway(at) {
			if (!existsSync(folder)) return null;
			const away = `${folder}-before-${at.toISOString().replace(/[:.]/g, '-')}`;
			renameSync(folder, away);
			syncFolder(dirname(folder));
			return away;
		}
	};
}

/** Whether a data folder has a record of audit events, even one that cannot be parsed. */
export function hasRecord(dataDir: string): boolean {
	const { end, isEndUnreadable } = openRecord(dataDir).read();
	return isEndUnreadable || (end?.seq ?? 0) > 0;
}
