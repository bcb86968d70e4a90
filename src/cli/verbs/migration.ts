import { plural } from '#lib/text/plural.ts';
import { parseArgs } from 'node:util';
import { formatCoins } from '#lib/chain/amount.ts';
import { events } from '#lib/messages/migration/events.ts';
import { reasons } from '#lib/messages/migration/reasons.ts';
import { STATE_NAMES } from '#lib/messages/migration/states.ts';
import { writeRecoveryFile } from '#lib/server/cross-chain/migration/recoveryFile.ts';
import { resume } from '#lib/server/cross-chain/migration/resume.ts';
import type { MigrationRecord } from '#lib/server/cross-chain/migration/migrationRecord.ts';
import { MigrationStore } from '#lib/server/cross-chain/migration/store.ts';
import { locks } from '#lib/server/locks.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { table } from '../table.ts';
import type { CliContext, Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

/** What is carried, in words: coins are money, units of a token are counted. */
const carried = ({ amount, tokenid }: MigrationRecord['row']): string =>
	tokenid === null ? `${formatCoins(amount)} coins` : `${plural(amount, 'unit')} of ${tokenid}`;

/** Rows that the list shows. */
const NEWEST = 50;

async function list(store: MigrationStore, { out }: CliContext): Promise<number> {
	const rows = await store.list({ limit: NEWEST });
	if (rows.length === 0) {
		out('No migrations yet.');
		return 0;
	}
	const lines = rows.map((row) => [
		row.id,
		`${row.source} to ${row.destination}`,
		row.tokenid === null ? formatCoins(row.amount) : plural(row.amount, 'unit'),
		STATE_NAMES[row.state]
	]);
	for (const line of table(['id', 'route', 'amount', 'state'], lines)) out(line);
	return 0;
}

async function show(
	store: MigrationStore,
	migration: MigrationRecord,
	{ out }: CliContext
): Promise<number> {
	const { row, steps } = migration;
	out(`${carried(row)} from ${row.source} to ${row.destination}`);
	out(`for ${row.address}`);
	out(
		`${STATE_NAMES[row.state]}${row.reason === null ? '' : `: ${reasons.text(row.reason)} [${row.reason.code}]`}`
	);
	for (const { step, txid } of steps.values()) if (txid !== null) out(`${step}: ${txid}`);
	for (const { time, message, times } of await store.events(row.id)) {
		const again = times === 1 ? '' : ` (${times} times)`;
		out(`${new Date(time).toISOString()}  ${events.text(message)}${again} [${message.code}]`);
	}
	return 0;
}

const ACTOR = 'command line';

async function retry(
	store: MigrationStore,
	wanted: string,
	{ out, err }: CliContext
): Promise<number> {
	let retried = 0;
	for (const id of wanted === 'all' ? await store.stopped() : [wanted]) {
		const migration = await store.load(id);
		if (!migration) {
			err(`There is no migration ${id}.`);
			return 1;
		}
		if (migration.row.state === 'stuck' && (await resume(store, migration, ACTOR))) {
			retried += 1;
			out(`${id}: resumed.`);
		} else out(`${id}: not stopped (${STATE_NAMES[migration.row.state]}). Nothing was changed.`);
	}
	if (wanted === 'all') out(`Migrations retried: ${retried}.`);
	return 0;
}

export const verb: Verb = {
	usage: [
		['migration list', `lists the ${NEWEST} newest migrations`],
		['migration show ID', 'shows the state and history of a migration'],
		['migration export ID', 'prints the recovery file of a migration as JSON'],
		[
			'migration retry ID|all',
			'retries a stopped migration, or all of them; the running server continues it'
		]
	],
	async run(args, context) {
		const { positionals } = parseArgs({ args, allowPositionals: true });
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
				context.err(`There is no migration ${id}.`);
				return 1;
			}
			if (act === 'show') return show(store, migration, context);
			context.out(writeRecoveryFile(migration).trimEnd());
			return 0;
		});
	}
};
