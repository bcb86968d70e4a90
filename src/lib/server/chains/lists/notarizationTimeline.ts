/** The notarizations of one chain in sequence, with the intervals between them and their median. */
import { sql } from 'kysely';
import type { Index } from '../indexer/open.ts';
import { signersOf } from './notarizations.ts';

/** Notaries of a season; their numbers are 0 to 63. */
const NOTARIES = 64;
/** Multiple of the median interval from which a notarization counts as late. */
export const LATE_TIMES = 2;

interface TimelinePoint {
	txid: string;
	/** Unix seconds of the block that contains it. */
	time: number;
	/** The notarized block. */
	height: number;
	/** Seconds and blocks since the previous one; null for the first. */
	gap: number | null;
	distance: number | null;
	signers: number[];
}

interface Timeline {
	/** Oldest first. */
	points: TimelinePoint[];
	/** Median seconds and blocks between two notarizations; null for fewer than two. */
	medianGap: number | null;
	medianDistance: number | null;
	/** Number of the listed notarizations that each notary signed, by notary number. */
	signed: number[];
}

function median(values: readonly number[]): number | null {
	if (values.length === 0) return null;
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Reads the last notarizations of `symbol` in the blocks of `chain`, with their intervals. */
export async function readTimeline(
	index: Index,
	chain: bigint,
	symbol: string,
	limit: number
): Promise<Timeline> {
	const rows = await index
		.selectFrom('ix_notarizations')
		.select(['txid', 'time', 'height', 'signers'])
		.where('chain', '=', chain)
		.where('symbol', '=', symbol)
		.orderBy('seq', 'desc')
		.limit(limit + 1)
		.execute();
	rows.reverse();
	const all = rows.map((row, at): TimelinePoint => {
		const before = rows[at - 1];
		return {
			txid: Buffer.from(row.txid).toString('hex'),
			time: Number(row.time),
			height: Number(row.height),
			gap: before === undefined ? null : Number(row.time - before.time),
			distance: before === undefined ? null : Number(row.height - before.height),
			signers: signersOf(row)
		};
	});
	const points = all.slice(-limit);
	const known = (values: (number | null)[]): number[] => values.filter((value) => value !== null);
	const signed = Array.from({ length: NOTARIES }, () => 0);
	for (const { signers } of points) {
		for (const notary of signers) if (notary < NOTARIES) signed[notary]! += 1;
	}
	return {
		points,
		medianGap: median(known(points.map(({ gap }) => gap))),
		medianDistance: median(known(points.map(({ distance }) => distance))),
		signed
	};
}

/** Returns, for each `seq` of a notarization, the previous one of the same notarized chain. */
export async function readBefore(
	index: Index,
	chain: bigint,
	seqs: readonly bigint[]
): Promise<Map<bigint, { height: bigint; time: bigint }>> {
	if (seqs.length === 0) return new Map();
	const before = (column: 'height' | 'time') =>
		sql<bigint | null>`(select ${sql.ref(`p.${column}`)} from ix_notarizations p
			where p.chain = n.chain and p.symbol = n.symbol and p.seq < n.seq order by p.seq desc limit 1)`;
	const rows = await index
		.selectFrom('ix_notarizations as n')
		.select(['n.seq', before('height').as('height'), before('time').as('time')])
		.where('n.chain', '=', chain)
		.where('n.seq', 'in', seqs)
		.execute();
	return new Map(
		rows.flatMap(({ seq, height, time }) =>
			height === null || time === null ? [] : [[seq, { height, time }]]
		)
	);
}

/** Returns the names of the chains that have notarizations in the blocks of `chain`, in order. */
export async function readNotarized(index: Index, chain: bigint): Promise<string[]> {
	// One index lookup for each name, instead of a scan of all rows.
	const { rows } = await sql<{ symbol: string | null }>`
		with recursive names(symbol) as (
			select min(symbol) from ix_notarizations where chain = ${chain}
			union all
			select (select min(symbol) from ix_notarizations where chain = ${chain} and symbol > names.symbol)
			from names where names.symbol is not null
		) select symbol from names where symbol is not null limit 500`.execute(index);
	return rows.flatMap(({ symbol }) => (symbol === null ? [] : [symbol]));
}
