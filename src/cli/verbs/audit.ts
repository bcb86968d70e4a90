import { AUDIT_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { auditFile } from '#lib/server/access/audit/list.ts';
import { checkedSentences, differenceSentence, faultSentence } from '#lib/messages/auditLog.ts';
import { exportedUpTo } from '#lib/server/access/notifications/auditExport.ts';
import { auditExportConfig } from '#lib/server/platform/config/mail.ts';
import { readSettings } from '#lib/server/platform/config/settings.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { createClockDoubt } from '#lib/server/platform/audit-trail/clockDoubt.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { ownOptions } from '../ownOptions.ts';
import { readArguments } from '../readArguments.ts';
import type { CliContext, Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';
import { COMMAND_LINE } from '#lib/server/platform/audit-trail/entry.ts';

const NARROWED_BY = ['actor', 'kind', 'place', 'outcome', 'from', 'to'] as const;
/** Options of each subcommand. */
const OPTIONS = {
	verify: [],
	confirm: [],
	drop: ['older-than'],
	export: ['form', ...NARROWED_BY]
} as const;
const isAct = (word: string | undefined): word is keyof typeof OPTIONS =>
	word !== undefined && Object.hasOwn(OPTIONS, word);

async function verify({ env, out, err }: CliContext): Promise<number> {
	return withAuth(env, async ({ audit }) => {
		const verdict = await audit.verify();
		const differences = await audit.checkRows();
		for (const sentence of checkedSentences(verdict.checked)) out(sentence);
		if (verdict.ok) out(AUDIT_VERB.verified(verdict.checked.rows));
		else err(AUDIT_VERB.failed(faultSentence(verdict)));
		for (const one of differences) err(differenceSentence(one));
		if (differences.length === 0) out(AUDIT_VERB.matches);
		return verdict.ok && differences.length === 0 ? 0 : 1;
	});
}

async function confirm({ env, out }: CliContext): Promise<number> {
	await withAuth(env, async ({ audit }) => {
		const confirmed = await audit.confirmAll(COMMAND_LINE);
		for (const one of confirmed) out(differenceSentence(one));
		out(confirmed.length === 0 ? AUDIT_VERB.allMatches : AUDIT_VERB.confirmed(confirmed.length));
	});
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
			actor: COMMAND_LINE,
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
	const { values, problems } = readSettings({
		KOMODECK_AUDIT_EXPORT: env['KOMODECK_AUDIT_EXPORT']
	});
	// An export that cannot be read is not the same as none, without which nothing is kept for it.
	if (problems.length > 0) throw new AppError('config.invalid', { problems });
	const to = auditExportConfig(values.KOMODECK_AUDIT_EXPORT, null);
	await withAuth(env, async ({ audit }, db) => {
		const doubt = Math.ceil(await createClockDoubt()(db));
		const before = Date.now() - doubt - Number(days) * DAY_MS;
		const exported = await exportedUpTo(db, to);
		const { segments, rows, unsent } = await audit.dropOlderThan(before, COMMAND_LINE, exported);
		if (segments !== null) out(AUDIT_VERB.dropped(...segments, rows));
		if (unsent !== null) out(AUDIT_VERB.unsent(unsent));
		else if (segments === null) out(AUDIT_VERB.nothingDropped);
		const doubted = Math.floor(doubt / DAY_MS);
		if (doubted > 0) out(AUDIT_VERB.doubted(doubted));
	});
	return 0;
}

export const verb: Verb = {
	usage: USAGE.audit,
	async run(args, context) {
		const options = Object.fromEntries(
			['form', 'older-than', ...NARROWED_BY].map((name) => [name, { type: 'string' as const }])
		);
		const { values, positionals } = readArguments({ args, options });
		const given = values as Readonly<Record<string, string | undefined>>;
		const [act, ...more] = positionals;
		if (more.length > 0) throw new AppError('usage.form', { form: 'audit-word' });
		if (!isAct(act)) throw new AppError('usage.form', { form: 'audit' });
		ownOptions(`audit ${act}`, given, OPTIONS[act]);
		if (act === 'verify') return verify(context);
		if (act === 'confirm') return confirm(context);
		if (act === 'drop') return drop(context, given['older-than']);
		const filter = NARROWED_BY.flatMap((name) => {
			const value = given[name];
			return value === undefined ? [] : [[name, value] as const];
		});
		return write(context, given['form'] ?? 'csv', Object.fromEntries(filter));
	}
};
