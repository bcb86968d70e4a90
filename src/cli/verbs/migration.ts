import {
	MIGRATION_VERB,
	NEWEST_MIGRATIONS,
	TABLE_HEADS,
	USAGE
} from '#lib/messages/commandLine.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { events } from '#lib/messages/migration/events.ts';
import { reasons } from '#lib/messages/migration/reasons.ts';
import { stateName } from '#lib/messages/migration/states.ts';
import { writeRecoveryFile } from '#lib/server/cross-chain/migration/recoveryFile.ts';
import { resume } from '#lib/server/cross-chain/migration/resume.ts';
import type { MigrationRecord } from '#lib/server/cross-chain/migration/migrationRecord.ts';
import { MigrationStore } from '#lib/server/cross-chain/migration/store.ts';
import { locks } from '#lib/server/locks.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { readArguments } from '../readArguments.ts';
import { table } from '../table.ts';
import type { CliContext, Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';
import { COMMAND_LINE } from '#lib/server/platform/audit-trail/entry.ts';

/** Describes what is migrated: an amount of coins, or base units of a token. */
const migrated = ({ amount, tokenid, source }: MigrationRecord['row']): string =>
	tokenid === null
		? MIGRATION_VERB.coins(formatCoins(amount), source)
		: MIGRATION_VERB.token(amount, tokenid);

async function list(store: MigrationStore, { out }: CliContext): Promise<number> {
	const rows = await store.list({ limit: NEWEST_MIGRATIONS });
	if (rows.length === 0) {
		out(MIGRATION_VERB.none);
		return 0;
	}
	const lines = rows.map((row) => [
		row.id,
		MIGRATION_VERB.route(row.source, row.destination),
		row.tokenid === null ? formatCoins(row.amount) : MIGRATION_VERB.units(row.amount),
		stateName(row.state)
	]);
	for (const line of table(TABLE_HEADS.migrations, lines)) out(line);
	return 0;
}

async function show(
	store: MigrationStore,
	migration: MigrationRecord,
	{ out }: CliContext
): Promise<number> {
	const { row, steps } = migration;
	out(MIGRATION_VERB.from(migrated(row), row.source, row.destination));
	out(MIGRATION_VERB.to(row.address));
	out(
		`${stateName(row.state)}${row.reason === null ? '' : `: ${reasons.text(row.reason)} [${row.reason.code}]`}`
	);
	for (const { step, txid } of steps.values()) if (txid !== null) out(`${step}: ${txid}`);
	for (const { time, message, times } of await store.events(row.id)) {
		out(
			`${new Date(time).toISOString()}  ${events.text(message)}${MIGRATION_VERB.times(times)} [${message.code}]`
		);
	}
	return 0;
}

const BY = { actor: COMMAND_LINE, confirmedBy: null };

async function retry(
	store: MigrationStore,
	wanted: string,
	{ out, err }: CliContext
): Promise<number> {
	let retried = 0;
	for (const id of wanted === 'all' ? await store.stopped() : [wanted]) {
		const migration = await store.load(id);
		if (!migration) {
			err(MIGRATION_VERB.unknown(id));
			return 1;
		}
		if (migration.row.state === 'stuck' && (await resume(store, migration, BY))) {
			retried += 1;
			out(MIGRATION_VERB.resumed(id));
		} else out(MIGRATION_VERB.notStopped(id, stateName(migration.row.state)));
	}
	if (wanted === 'all') out(MIGRATION_VERB.retried(retried));
	return 0;
}

export const verb: Verb = {
	usage: USAGE.migration,
	async run(args, context) {
		const { positionals } = readArguments({ args, options: {} });
		const [act, id, ...more] = positionals;
		const wantsId = act === 'show' || act === 'export' || act === 'retry';
		if ((act !== 'list' && !wantsId) || wantsId !== (id !== undefined) || more.length > 0) {
			throw new AppError('usage.form', { form: 'migration' });
		}
		return withAuth(context.env, async ({ audit }, db) => {
			const store = new MigrationStore({ db, locks, audit });
			if (id === undefined) return list(store, context);
			if (act === 'retry') return retry(store, id, context);
			const migration = await store.load(id);
			if (!migration) {
				context.err(MIGRATION_VERB.unknown(id));
				return 1;
			}
			if (act === 'show') return show(store, migration, context);
			context.out(writeRecoveryFile(migration).trimEnd());
			return 0;
		});
	}
};
