import { plural } from '#lib/text/plural.ts';
import { parseArgs } from 'node:util';
import { auditFile } from '#lib/server/access/audit/list.ts';
import { checkedSentences, differenceSentence, faultSentence } from '#lib/messages/auditLog.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import type { CliContext, Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

const DAY = 24 * 60 * 60 * 1000;
const NARROWED_BY = ['actor', 'kind', 'place', 'outcome', 'from', 'to'] as const;

async function verify({ env, out, err }: CliContext): Promise<number> {
	const { verdict, differences } = await withAuth(env, async ({ audit }) => ({
		verdict: await audit.verify(),
		differences: await audit.checkRows()
	}));
	for (const sentence of checkedSentences(verdict.checked)) out(sentence);
	if (verdict.ok) out(`Integrity verified: ${plural(verdict.checked.rows, 'event')}.`);
	else err(`The audit log is broken: ${faultSentence(verdict)}`);
	for (const one of differences) err(differenceSentence(one));
	if (differences.length === 0) {
		out('Accounts, API tokens, links, wallet grants, limits and controls are what the log says.');
	}
	return verdict.ok && differences.length === 0 ? 0 : 1;
}

async function confirm({ env, out }: CliContext): Promise<number> {
	const confirmed = await withAuth(env, ({ audit }) => audit.confirmAll('command line'));
	for (const one of confirmed) out(differenceSentence(one));
	out(
		confirmed.length === 0
			? 'Nothing differs from the log; nothing was confirmed.'
			: `Confirmed ${plural(confirmed.length, 'row')} as they are now.`
	);
	return 0;
}

async function write(
	{ env, out }: CliContext,
	form: string,
	filter: Readonly<Record<string, string>>
): Promise<number> {
	if (form !== 'csv' && form !== 'json')
		throw new AppError('usage.option', { option: 'audit-form' });
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
		throw new AppError('usage.option', { option: 'older-than' });
	}
	const dropped = await withAuth(env, ({ audit }) =>
		audit.dropOlderThan(Date.now() - Number(days) * DAY, 'command line')
	);
	if (dropped.segments === null)
		out('No segment under a checkpoint is that old; nothing was dropped.');
	else {
		const [first, last] = dropped.segments;
		out(
			`Dropped segments ${first} to ${last}, ${plural(dropped.rows, 'row')}; their checkpoints stay.`
		);
	}
	return 0;
}

export const verb: Verb = {
	usage: [
		[
			'audit verify',
			'checks the whole audit log and its copy beside the database, and holds accounts, grants, limits and tokens against it'
		],
		[
			'audit confirm',
			'prints what differs from the log among accounts, grants, limits and tokens, and takes it for right'
		],
		[
			'audit export [--form csv|json] [--actor N] [--kind K] [--place P] [--outcome O] [--from D] [--to D]',
			'prints the rows that fit, newest first'
		],
		[
			'audit drop --older-than DAYS',
			'drops whole segments that are older; their checkpoints stay as proof'
		]
	],
	async run(args, context) {
		const options = Object.fromEntries(
			['form', 'older-than', ...NARROWED_BY].map((name) => [name, { type: 'string' as const }])
		);
		const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
		const given = values as Readonly<Record<string, string | undefined>>;
		const [act, ...more] = positionals;
		if (more.length > 0) throw new AppError('usage.form', { form: 'audit-word' });
		if (act === 'verify') return verify(context);
		if (act === 'confirm') return confirm(context);
		if (act === 'drop') return drop(context, given['older-than']);
		if (act !== 'export') {
			throw new AppError('usage.form', { form: 'audit' });
		}
		const filter = NARROWED_BY.flatMap((name) => {
			const value = given[name];
			return value === undefined ? [] : [[name, value] as const];
		});
		return write(context, given['form'] ?? 'csv', Object.fromEntries(filter));
	}
};
