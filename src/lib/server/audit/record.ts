/**
 * What is written of the log outside of the database: each seal, and how far the log was seen to reach.
 * Who can write to the database alone cannot make it agree with this.
 */
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
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

export interface OutsideRecord {
	/** The folder, for people. */
	folder: string;
	read(): KeptRecord;
	addSeals(seals: readonly KeptSeal[]): void;
	setEnd(end: SeenEnd): void;
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
	const make = (): void => void mkdirSync(folder, { recursive: true, mode: 0o700 });
	const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

	return {
		folder,
		read() {
			const record: KeptRecord = { seals: [], end: parsed(Seen, textOf(end)), unreadable: [] };
			for (const [at, line] of textOf(seals).split('\n').entries()) {
				if (line.trim() === '') continue;
				const seal = parsed(Seal, line);
				if (seal === null) record.unreadable.push(at + 1);
				else record.seals.push(seal);
			}
			return record;
		},
		addSeals(added) {
			make();
			const lines = added.map((seal) => `${JSON.stringify(seal)}\n`).join('');
			appendFileSync(seals, lines, { mode: 0o600, flush: true });
		},
		setEnd(seen) {
			make();
			// A name of its own for each process: two may write at once.
			const fresh = `${end}.${process.pid}`;
			writeFileSync(fresh, JSON.stringify(seen), { mode: 0o600 });
			renameSync(fresh, end);
		},
		putAway(at) {
			if (!existsSync(folder)) return null;
			const away = `${folder}-before-${at.toISOString().replace(/[:.]/g, '-')}`;
			renameSync(folder, away);
			return away;
		}
	};
}
