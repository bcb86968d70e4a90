/**
 * What is written of the log outside of the database: each checkpoint, and how far the log was seen to reach.
 * Who can write to the database alone cannot make it agree with this.
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
	truncateSync,
	writeFileSync
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freshName } from '../config/freshName.ts';
import { giveToOwner } from '../config/giveToOwner.ts';
import { makeFolder } from '../config/makeFolder.ts';
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

/** What the log says of rows, by what names them. */
const Rows = z.record(z.string(), z.record(z.string(), z.string().nullable()));
const Accounts = z.object({
	accounts: Rows,
	/** Safety controls that are on; earlier versions did not keep them. */
	controls: Rows.optional(),
	/** Names of the rows that let a member in, or use a wallet. */
	rights: z.array(z.string()).optional(),
	/** Rows of what admins decided and of recovery codes, by what names them. */
	decided: Rows.optional(),
	mac: z.string()
});

/** What the log last said of the accounts and safety controls, with an HMAC. */
export type KeptAccounts = z.infer<typeof Accounts>;
/** A checkpoint as it stands beside the database. */
export type KeptCheckpoint = z.infer<typeof Checkpoint>;
/** The end of the log as it was seen, with its HMAC. */
export type SeenEnd = z.infer<typeof Seen>;

/** Everything that is known outside of the database. */
export interface KeptRecord {
	checkpoints: KeptCheckpoint[];
	end: SeenEnd | null;
	/** Lines of the file of checkpoints that hold none, by their number. */
	unreadable: number[];
}

const FOLDER = 'audit';
const CHECKPOINTS = 'seals.jsonl';
const END = 'end.json';
const ACCOUNTS = 'accounts.json';
/** More than two checkpoints take. */
const TAIL_BYTES = 4096;

interface OutsideRecord {
	/** The folder, for people. */
	folder: string;
	read(): KeptRecord;
	/** The last checkpoint that is kept, and the end. @throws {AppError} `audit.copy-unreadable` */
	last(): { checkpoint: KeptCheckpoint | null; end: SeenEnd | null };
	/** Adds those that follow the last one that is kept. */
	addCheckpoints(checkpoints: readonly KeptCheckpoint[]): void;
	setEnd(end: SeenEnd): void;
	/** What was last known of the accounts and safety controls, for a restore; null: nothing is. */
	accounts(): KeptAccounts | null;
	setAccounts(accounts: KeptAccounts): void;
	/** Puts the record away, because the log begins anew from a backup; the folder with what it said. */
	putAway(at: Date): string | null;
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
	try {
		const result = schema.safeParse(JSON.parse(text));
		return result.success ? result.data : null;
	} catch {
		return null;
	}
}

/** The record in the data folder. */
export function openRecord(dataDir: string): OutsideRecord {
	const folder = join(dataDir, FOLDER);
	const checkpoints = join(folder, CHECKPOINTS);
	const end = join(folder, END);
	const accounts = join(folder, ACCOUNTS);
	const make = (): void => makeFolder(folder);
	const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
	/** Whole lines only: what a killed process wrote of its last one is none. */
	const lines = (): string[] => textOf(checkpoints).split('\n').slice(0, -1);

	function put(file: string, value: unknown): void {
		make();
		// A name of its own for each process: two may write at once.
		const fresh = freshName(file);
		writeFileSync(fresh, JSON.stringify(value), { mode: 0o600, flush: true });
		giveToOwner(fresh);
		renameSync(fresh, file);
	}

	/** The end of the file, as far as it holds the last two lines. */
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
		return { checkpoint, end: parsed(Seen, textOf(end)) };
	}

	return {
		folder,
		read() {
			const record: KeptRecord = {
				checkpoints: [],
				end: parsed(Seen, textOf(end)),
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
			make();
			const { text, size } = tail();
			const half = text.length - (text.lastIndexOf('\n') + 1);
			if (half > 0) truncateSync(checkpoints, size - half);
			// The server and the command line may both have read the same end before they write.
			const known = last().checkpoint?.number ?? 0;
			const fresh = added
				.filter(({ number }) => number > known)
				.map((checkpoint) => `${JSON.stringify(checkpoint)}\n`);
			if (fresh.length === 0) return;
			appendFileSync(checkpoints, fresh.join(''), { mode: 0o600, flush: true });
			if (size === 0) giveToOwner(checkpoints);
		},
		setEnd: (seen) => put(end, seen),
		accounts: () => parsed(Accounts, textOf(accounts)),
		setAccounts: (known) => put(accounts, known),
		putAway(at) {
			if (!existsSync(folder)) return null;
			const away = `${folder}-before-${at.toISOString().replace(/[:.]/g, '-')}`;
			renameSync(folder, away);
			return away;
		}
	};
}
