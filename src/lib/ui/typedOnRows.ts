/** The rows of a form that its action hands back changed, and what was typed while they were on their way. */

interface Row {
	recipient: string;
	amount: string;
}

/** A row as the page has it: its key stays the same wherever it goes, and with it the focus. */
interface KeyedRow extends Row {
	key: number;
}

const isEmpty = ({ recipient, amount }: Row): boolean =>
	recipient.trim() === '' && amount.trim() === '';

/** Rows as the page keeps them, with keys that no other one has. */
export const keyedRows = (rows: readonly Row[], others: readonly KeyedRow[] = []): KeyedRow[] => {
	const first = others.reduce((most, { key }) => Math.max(most, key + 1), 0);
	return rows.map(({ recipient, amount }, at) => ({ key: first + at, recipient, amount }));
};

/**
 * The rows of an answer, each with what was typed into it since it was sent. An answer has the rows that were sent, in
 * their order, with or without the empty ones, and others behind them; what was typed into one that it left out stands
 * at the end.
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
 * The text below the rows. What of it became rows must not stay to be meant once more: then only lines that were written
 * below it are left.
 */
export function linesTypedOn(sent: string, now: string, answered: string): string {
	if (now === sent) return answered;
	if (answered !== '' || sent.trim() === '') return now;
	if (!now.startsWith(sent)) return '';
	const more = now.slice(sent.length);
	return sent.endsWith('\n') ? more : (/^\n(.*)$/s.exec(more)?.[1] ?? '');
}
