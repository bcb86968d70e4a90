import type { AuditChecked, AuditFault } from './verify.ts';

const count = (number: number, one: string, many = `${one}s`): string =>
	`${number} ${number === 1 ? one : many}`;

const moment = (at: number): string =>
	`${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Where the log is broken and how, as a sentence. */
export function faultSentence({ reason, seq, segment }: AuditFault): string {
	const inSegment = segment === null ? '' : ` of segment ${segment}`;
	switch (reason) {
		case 'missing':
			return `Row ${seq}${inSegment} is missing.`;
		case 'changed':
			return `Row ${seq}${inSegment} was changed, or was not written with this key.`;
		case 'cut-off':
			return `Row ${seq}${inSegment} and what followed it were cut off.`;
		case 'end-changed':
			return `The end of the log was put elsewhere before row ${seq ?? 1} was added: rows may be missing there.`;
		case 'left-over':
			return `Row ${seq}${inSegment} is there, although the segment was dropped.`;
		case 'seal-changed':
			return `The seal of segment ${segment} was changed, or was not made with this key.`;
		case 'seal-missing':
			return `The seal of segment ${segment} is missing.`;
		case 'seal-differs':
			return `The seal of segment ${segment} differs from its copy outside of the database.`;
		case 'copy-unreadable':
			return `Line ${seq} of the seals that are kept outside of the database cannot be read.`;
	}
}

/** What was looked at, a sentence for each part. */
export function checkedSentences(checked: AuditChecked): string[] {
	const { rows, from, to, segments, dropped, copies, seen } = checked;
	return [
		rows === 0
			? 'There are no rows.'
			: `${count(rows, 'row')}, from ${from} to ${to}: each hash was computed again.`,
		segments === 0
			? 'No segment is sealed yet.'
			: `${count(segments, 'sealed segment')}${dropped === 0 ? '' : `, ${dropped} of them dropped by retention`}.`,
		copies === null
			? 'No seal is kept outside of the database here.'
			: `${count(copies, 'seal')} kept outside of the database ${copies === 1 ? 'agrees' : 'agree'}.`,
		seen === null
			? 'Nothing outside of the database says how far the log reached.'
			: `The log was seen to reach row ${seen.seq} at ${moment(seen.at)}.`
	];
}
