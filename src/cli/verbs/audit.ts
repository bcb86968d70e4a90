import { parseArgs } from 'node:util';
import { auditFile } from '#lib/server/audit/list.ts';
import { checkedSentences, faultSentence } from '#lib/server/audit/words.ts';
import { UsageError, type CliContext, type Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

const DAY = 24 * 60 * 60 * 1000;
const NARROWED_BY = ['actor', 'kind', 'place', 'outcome', 'from', 'to'] as const;

async function verify({ env, out, err }: CliContext): Promise<number> {
	const verdict = await withAuth(env, ({ audit }) => audit.verify());
	for (const sentence of checkedSentences(verdict.checked)) out(sentence);
	if (verdict.ok) {
		out(`The audit log is whole: ${verdict.checked.rows} rows.`);
		return 0;
	}
	err(`The audit log is broken: ${faultSentence(verdict)}`);
	return 1;
}

async function write(
	{ env, out }: CliContext,
	form: string,
	filter: Readonly<Record<string, string>>
): Promise<number> {
	if (form !== 'csv' && form !== 'json') throw new UsageError('Say --form csv or --form json.');
	await withAuth(env, async ({ audit }, db) => {
		const parameters = new URLSearchParams(filter);
		const answer = await auditFile(db, parameters, form === 'csv' ? 'csv' : 'export');
		await audit.append({
			actor: 'command line',
			action: 'audit.exported',
			target: `audit.${form}`,
			detail: { filter }
		});
		const decoder = new TextDecoder();
		let rest = '';
		for await (const part of answer.body ?? []) {
			const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) out(line.replace(/\r$/, ''));
		}
		if (rest !== '') out(rest);
	});
	return 0;
}

async function drop({ env, out }: CliContext, days: string | undefined): Promise<number> {
	if (days === undefined || !/^[1-9]\d{0,4}$/.test(days)) {
		throw new UsageError('Say --older-than with a whole number of days.');
	}
	const dropped = await withAuth(env, ({ audit }) =>
		audit.dropOlderThan(Date.now() - Number(days) * DAY, 'command line')
	);
	if (dropped.segments === null) out('No sealed segment is that old; nothing was dropped.');
	else {
		const [first, last] = dropped.segments;
		out(`Dropped segments ${first} to ${last}, ${dropped.rows} rows; their seals stay.`);
	}
	return 0;
}

export const verb: Verb = {
	usage: [
		[
			'audit verify',
			'checks the whole audit log: rows, seals, end, and the copy beside the database'
		],
		[
			'audit export [--form csv|json] [--actor N] [--kind K] [--place P] [--outcome O] [--from D] [--to D]',
			'prints the rows that fit, newest first'
		],
		[
			'audit drop --older-than DAYS',
			'drops whole sealed segments that are older; their seals stay as proof'
		]
	],
	async run(args, context) {
		const options = Object.fromEntries(
			['form', 'older-than', ...NARROWED_BY].map((name) => [name, { type: 'string' as const }])
		);
		const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
		const given = values as Readonly<Record<string, string | undefined>>;
		const [act, ...more] = positionals;
		if (more.length > 0) throw new UsageError('Say "audit" and one word.');
		if (act === 'verify') return verify(context);
		if (act === 'drop') return drop(context, given['older-than']);
		if (act !== 'export') {
			throw new UsageError('Say "audit verify", "audit export" or "audit drop".');
		}
		const filter = NARROWED_BY.flatMap((name) => {
			const value = given[name];
			return value === undefined ? [] : [[name, value] as const];
		});
		return write(context, given['form'] ?? 'csv', Object.fromEntries(filter));
	}
};
