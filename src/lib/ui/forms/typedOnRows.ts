/** Merges rows of a form that its action returned with what was typed while the submission was in progress. */

interface Row {
	recipient: string;
	amount: string;
}

/** A row with a key that stays the same when the row moves, so that its input keeps the focus. */
interface KeyedRow extends Row {
	key: number;
}

const isEmpty = ({ recipient, amount }: Row): boolean =>
	recipient.trim() === '' && amount.trim() === '';

/** Adds keys to rows, distinct from those of `others`. */
export const keyedRows = (rows: readonly Row[], others: readonly KeyedRow[] = []): KeyedRow[] => {
	const first = others.reduce((most, { key }) => Math.max(most, key + 1), 0);
	return rows.map(({ recipient, amount }, at) => ({ key: first + at, recipient, amount }));
};

/**
 * Returns the rows of a response, each with what was typed into it since the submission. A response
 * contains the submitted rows in order, with or without empty ones, followed by further rows; text typed
 * into a row that the response omits is appended.
 */
export function rowsTypedOn(
	sent: readonly KeyedRow[],
	now: readonly KeyedRow[],
	answered: readonly Row[]
): KeyedRow[] {
	const rows = keyedRows(answered, now);
	let next = 0;
	for (const [at, before] of sent.entries()) {
		const answer = answered[next];
		const isThere = answer !== undefined && isEmpty(answer) === isEmpty(before);
		const place = isThere ? rows[next++] : undefined;
		if (place !== undefined) place.key = before.key;
		const typed = now[at];
		if (typed === undefined) continue;
		const { recipient, amount } = typed;
		if (recipient === before.recipient && amount === before.amount) continue;
		if (place === undefined) {
			if (!isEmpty(typed)) rows.push({ ...typed });
			continue;
		}
		if (recipient !== before.recipient) place.recipient = recipient;
		if (amount !== before.amount) place.amount = amount;
	}
	return rows;
}

/**
 * Merges the text below the rows. Lines that the response turned into rows must not remain and be processed
 * twice, so only lines that were added after them are kept.
 */
export function linesTypedOn(sent: string, now: string, answered: string): string {
	if (now === sent) return answered;
	if (answered !== '' || sent.trim() === '') return now;
	if (!now.startsWith(sent)) return '';
	const more = now.slice(sent.length);
	return sent.endsWith('\n') ? more : (/^\n(.*)$/s.exec(more)?.[1] ?? '');
}
