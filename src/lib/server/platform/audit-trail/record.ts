/**
 * What is written of the log outside of the database: each seal, and how far the log was seen to reach.
 * Who can write to the database alone cannot make it agree with this.
 */
import {
	appendFileSync,
	closeSync,
	existsSync,
	fstatSync,
	mkdirSync,
	openSync,
	readFileSync,
	readSync,
	renameSync,
	truncateSync,
	writeFileSync
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Seal = z.object({
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

const Accounts = z.object({
	/** By id. */
	accounts: z.record(z.string(), z.record(z.string(), z.string().nullable())),
	mac: z.string()
});

/** What the log last said of the accounts, with an HMAC. */
export type KeptAccounts = z.infer<typeof Accounts>;
/** A seal as it stands beside the database. */
export type KeptSeal = z.infer<typeof Seal>;
/** The end of the log as it was seen, with its HMAC. */
export type SeenEnd = z.infer<typeof Seen>;

/** Everything that is known outside of the database. */
export interface KeptRecord {
	seals: KeptSeal[];
	end: SeenEnd | null;
	/** Lines of the file of seals that hold none, by their number. */
	unreadable: number[];
}

const FOLDER = 'audit';
const SEALS = 'seals.jsonl';
const END = 'end.json';
const ACCOUNTS = 'accounts.json';
/** More than two seals take. */
const TAIL_BYTES = 4096;

interface OutsideRecord {
	/** The folder, for people. */
	folder: string;
	read(): KeptRecord;
	/** The last seal that is kept, and the end. @throws when the last line cannot be read */
	last(): { seal: KeptSeal | null; end: SeenEnd | null };
	addSeals(seals: readonly KeptSeal[]): void;
	setEnd(end: SeenEnd): void;
	/** What was last known of the accounts, for a restore; null: nothing is. */
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
	const seals = join(folder, SEALS);
	const end = join(folder, END);
	const accounts = join(folder, ACCOUNTS);
	const make = (): void => void mkdirSync(folder, { recursive: true, mode: 0o700 });
	const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
	/** Whole lines only: what a killed process wrote of its last one is none. */
	const lines = (): string[] => textOf(seals).split('\n').slice(0, -1);

	function put(file: string, value: unknown): void {
		make();
		// A name of its own for each process: two may write at once.
		const fresh = `${file}.${process.pid}`;
		writeFileSync(fresh, JSON.stringify(value), { mode: 0o600 });
		renameSync(fresh, file);
	}

	/** The end of the file, as far as it holds the last two lines. */
	function tail(): { text: string; size: number } {
		if (!existsSync(seals)) return { text: '', size: 0 };
		const handle = openSync(seals, 'r');
		try {
			const { size } = fstatSync(handle);
			const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
			readSync(handle, bytes, 0, bytes.length, size - bytes.length);
			return { text: bytes.toString('latin1'), size };
		} finally {
			closeSync(handle);
		}
	}

	return {
		folder,
		read() {
			const record: KeptRecord = { seals: [], end: parsed(Seen, textOf(end)), unreadable: [] };
			for (const [at, line] of lines().entries()) {
				const seal = parsed(Seal, line);
				if (seal === null) record.unreadable.push(at + 1);
				else record.seals.push(seal);
			}
			return record;
		},
		last() {
			const line = tail().text.split('\n').at(-2);
			const seal = line === undefined ? null : parsed(Seal, line);
			if (line !== undefined && seal === null) {
				throw new Error(`The last line of ${seals} cannot be read.`);
			}
			return { seal, end: parsed(Seen, textOf(end)) };
		},
		addSeals(added) {
			make();
			const { text, size } = tail();
			const half = text.length - (text.lastIndexOf('\n') + 1);
			if (half > 0) truncateSync(seals, size - half);
			const fresh = added.map((seal) => `${JSON.stringify(seal)}\n`).join('');
			appendFileSync(seals, fresh, { mode: 0o600, flush: true });
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
