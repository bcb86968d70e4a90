/** First steps of an admin in a new installation. A step is done when the database shows it, not when clicked. */
import { isSharedCcid } from '../../chains/daemon/sharedCcid.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { ARRIVED } from '../migration/states.ts';
import type { CrossChainTables } from '../tables.ts';

type FirstStepId = 'account' | 'daemons' | 'invite' | 'limits' | 'token' | 'migration';

interface FirstStep {
	id: FirstStepId;
	done: boolean;
}

interface FirstSteps {
	steps: FirstStep[];
	/** The chain on which to create the first token; null when there is no wallet. */
	chain: string | null;
	/** Destination for a first migration from `chain`; null when no other chain with its CCid has a wallet. */
	destination: string | null;
}

type Parts = { db: Database<CrossChainTables>; gateway: Gateway };

/** Returns the first chain with a wallet from which coins can be migrated, and the destination. */
function firstRoute(gateway: Gateway): Pick<FirstSteps, 'chain' | 'destination'> {
	const wallets = gateway
		.chains()
		.flatMap((name) => gateway.daemonFor(name, 'wallet') ?? [])
		.filter(({ ccid }) => isSharedCcid(ccid));
	const route = wallets.flatMap((source) => {
		const to = wallets.find(({ chain, ccid }) => chain !== source.chain && ccid === source.ccid);
		return to === undefined ? [] : [{ chain: source.chain, destination: to.chain }];
	})[0];
	return route ?? { chain: wallets[0]?.chain ?? null, destination: null };
}

async function exists(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
	return (await query.executeTakeFirst()) !== undefined;
}

/** Returns the steps that the database shows as done; the step `daemons` is not among them. */
async function doneSteps(db: Executor<CrossChainTables>): Promise<ReadonlySet<FirstStepId>> {
	const done = new Set<FirstStepId>(['account']);
	const { members } = await db
		.selectFrom('accounts')
		.select((select) => select.fn.countAll<bigint>().as('members'))
		.executeTakeFirstOrThrow();
	const links = db.selectFrom('account_links').select('id').where('kind', '=', 'invitation');
	if (members > 1n || (await exists(links.limit(1)))) done.add('invite');
	if (await exists(db.selectFrom('spending_limits').select('chain').limit(1))) done.add('limits');
	const tokens = db
		.selectFrom('transactions')
		.select('id')
		.where('kind', '=', 'token-create')
		.where('state', 'in', ['broadcast', 'confirmed']);
	if (await exists(tokens.limit(1))) done.add('token');
	const migrations = db
		.selectFrom('migrations')
		.select('id')
		.where('state', 'in', [...ARRIVED]);
	if (await exists(migrations.limit(1))) done.add('migration');
	return done;
}

export function createFirstSteps({ db, gateway }: Parts) {
	return {
		/** Returns the state of the steps; null once all are done, or when this member has dismissed them. */
		async of(accountId: string): Promise<FirstSteps | null> {
			const dismissed = db
				.selectFrom('dismissed_cards')
				.select('card')
				.where('account_id', '=', accountId)
				.where('card', '=', 'first-steps');
			if (await exists(dismissed)) return null;
			const done = await doneSteps(db);
			const daemons = gateway.daemons();
			const online = daemons.length > 0 && daemons.every(({ health }) => health.state === 'up');
			const ids: FirstStepId[] = ['account', 'daemons', 'invite', 'limits', 'token', 'migration'];
			const steps = ids.map((id) => ({ id, done: id === 'daemons' ? online : done.has(id) }));
			return steps.every((step) => step.done) ? null : { steps, ...firstRoute(gateway) };
		},
		/** Hides the steps from this member permanently. */
		async dismiss(accountId: string): Promise<void> {
			await db
				.insertInto('dismissed_cards')
				.values({ account_id: accountId, card: 'first-steps', at: Date.now() })
				.onConflict((conflict) => conflict.columns(['account_id', 'card']).doNothing())
				.execute();
		}
	};
}

export type FirstStepsReader = ReturnType<typeof createFirstSteps>;
