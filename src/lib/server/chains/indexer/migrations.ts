import { sql, type CreateTableBuilder, type Kysely } from 'kysely';
import type { DatabaseDialect } from '../../platform/database/dialect.ts';
import type { Migration } from '../../platform/database/migrate.ts';
import type { IndexTrx } from './bulk.ts';
import { insertLooks, insertNames } from './names.ts';
import { tellPlanner, type IndexColumns } from './statistics.ts';
import { INDEX_LEASE, SUM_PART, type IndexTables } from './tables.ts';
import { addressOfHolder } from './totals.ts';

/** `count` is an integer with default 0; `?` means nullable. */
type Kind = 'int' | 'int?' | 'count' | 'text' | 'text?' | 'bytes' | 'bytes?';

interface TablePlan {
	columns: Record<string, Kind>;
	key: readonly string[];
	/** Additional indexes; `where` makes one partial. */
	indexes?: { columns: string[]; unique?: boolean; where?: string }[];
}

/** Tables of the search for token names, see names.ts. */
const NAMES = {
	ix_name_words: {
		columns: { word: 'text', chain: 'int', seq: 'int' },
		key: ['word', 'chain', 'seq']
	},
	ix_name_typos: { columns: { key: 'text', word: 'text' }, key: ['key', 'word'] }
} as const satisfies Record<string, TablePlan>;

/** Table of the search for tokens with a look-alike name. */
const LOOKS = {
	ix_name_looks: {
		columns: { chain: 'int', look: 'text', seq: 'int' },
		key: ['chain', 'look', 'seq']
	}
} as const satisfies Record<string, TablePlan>;

/** Tables with the indexes that lists and searches of the pages need; later steps add further ones. */
const PLAN: Record<
	Exclude<keyof IndexTables, keyof typeof NAMES | keyof typeof LOOKS>,
	TablePlan
> = {
	ix_chains: {
		columns: {
			id: 'int',
			name: 'text',
			genesis: 'bytes?',
			start_height: 'int',
			height: 'int',
			hash: 'bytes?',
			target_height: 'int',
			state: 'text',
			problem: 'text?',
			rate: 'int',
			reorgs: 'int',
			tokens: 'count',
			looked_at: 'int',
			written_at: 'int'
		},
		key: ['id'],
		indexes: [{ columns: ['name'], unique: true }]
	},
	ix_blocks: {
		columns: {
			chain: 'int',
			height: 'int',
			hash: 'bytes',
			time: 'int',
			size: 'int',
			txs: 'int'
		},
		key: ['chain', 'height'],
		indexes: [{ columns: ['hash'] }]
	},
	ix_txs: {
		columns: {
			chain: 'int',
			seq: 'int',
			txid: 'bytes',
			kind: 'text',
			size: 'int',
			inputs: 'int',
			outputs: 'int',
			value: 'int',
			fee: 'int?'
		},
		key: ['chain', 'seq'],
		indexes: [{ columns: ['txid'] }, { columns: ['chain', 'kind', 'seq'] }]
	},
	ix_outputs: {
		columns: {
			chain: 'int',
			seq: 'int',
			n: 'int',
			value: 'int',
			type: 'text',
			address: 'text?',
			token: 'int?',
			holder: 'text?',
			spent_seq: 'int?',
			spent_n: 'int?'
		},
		key: ['chain', 'seq', 'n']
	},
	ix_inputs: {
		columns: { chain: 'int', seq: 'int', n: 'int', prev_seq: 'int?', prev_n: 'int?' },
		key: ['chain', 'seq', 'n']
	},
	ix_addresses: {
		columns: { chain: 'int', address: 'text', balance: 'int', received: 'int', txs: 'int' },
		key: ['address', 'chain'],
		indexes: [{ columns: ['chain', 'balance'] }]
	},
	ix_address_txs: {
		columns: { chain: 'int', address: 'text', seq: 'int', received: 'int', sent: 'int' },
		key: ['chain', 'address', 'seq']
	},
	ix_tokens: {
		columns: {
			chain: 'int',
			seq: 'int',
			tokenid: 'bytes',
			name: 'text',
			name_key: 'text',
			description: 'text',
			owner: 'text',
			supply: 'int',
			nft_code: 'int?',
			nft_data: 'text?',
			origin_chain: 'text?',
			origin_tokenid: 'bytes?',
			created_at: 'int',
			transfers: 'int',
			holders: 'int',
			burned: 'int'
		},
		key: ['chain', 'seq'],
		indexes: [
			{ columns: ['tokenid'] },
			{ columns: ['chain', 'name_key', 'seq'] },
			{ columns: ['chain', 'supply', 'seq'] },
			{ columns: ['chain', 'holders', 'seq'] },
			{ columns: ['chain', 'transfers', 'seq'] },
			{ columns: ['name_key'] },
			{ columns: ['chain', 'owner', 'seq'] },
			{ columns: ['chain', 'seq'], where: 'nft_code is not null' },
			{ columns: ['chain', 'seq'], where: 'origin_chain is not null' },
			{ columns: ['origin_tokenid'], where: 'origin_tokenid is not null' }
		]
	},
	ix_token_moves: {
		columns: {
			chain: 'int',
			token: 'int',
			seq: 'int',
			n: 'int',
			kind: 'text',
			from_holder: 'text?',
			to_holder: 'text?',
			units: 'int'
		},
		key: ['chain', 'token', 'seq', 'n'],
		indexes: [
			{ columns: ['chain', 'seq'] },
			{ columns: ['chain', 'token', 'seq', 'n'], where: "kind <> 'transfer'" }
		]
	},
	ix_holders: {
		columns: { chain: 'int', token: 'int', holder: 'text', units: 'int' },
		key: ['chain', 'token', 'holder'],
		indexes: [{ columns: ['chain', 'token', 'units', 'holder'] }, { columns: ['holder', 'chain'] }]
	},
	ix_notarizations: {
		columns: {
			chain: 'int',
			seq: 'int',
			txid: 'bytes',
			form: 'text',
			symbol: 'text',
			time: 'int',
			height: 'int',
			hash: 'bytes',
			kmd_txid: 'bytes?',
			mom: 'bytes?',
			mom_depth: 'int?',
			ccid: 'int?',
			momom: 'bytes?',
			momom_depth: 'int?',
			signers: 'text',
			signer_count: 'int'
		},
		key: ['chain', 'seq'],
		indexes: [
			{ columns: ['chain', 'symbol', 'seq'] },
			{ columns: ['symbol', 'height'] },
			{ columns: ['kmd_txid'] }
		]
	},
	ix_burns: {
		columns: {
			chain: 'int',
			seq: 'int',
			txid: 'bytes',
			time: 'int',
			target: 'text',
			target_ccid: 'int',
			value: 'int',
			tokenid: 'bytes?',
			units: 'int',
			payouts_hash: 'bytes',
			import_chain: 'int?',
			import_seq: 'int?'
		},
		key: ['chain', 'seq'],
		indexes: [
			{ columns: ['txid'] },
			{ columns: ['time', 'chain', 'seq'] },
			{ columns: ['chain', 'time', 'seq'] },
			{ columns: ['target', 'time', 'seq'] },
			{ columns: ['time', 'chain', 'seq'], where: 'import_seq is null' },
			{ columns: ['chain', 'time', 'seq'], where: 'import_seq is null' },
			{ columns: ['import_chain', 'import_seq'] }
		]
	},
	ix_imports: {
		columns: {
			chain: 'int',
			seq: 'int',
			txid: 'bytes',
			time: 'int',
			burn_txid: 'bytes',
			source: 'text',
			ccid: 'int?',
			value: 'int',
			token: 'int?',
			proof: 'text'
		},
		key: ['chain', 'seq'],
		indexes: [{ columns: ['burn_txid'] }, { columns: ['time', 'chain', 'seq'] }]
	},
	ix_flows: {
		columns: {
			source: 'text',
			target: 'text',
			ccid: 'int',
			burned: 'int',
			burns: 'int',
			imported: 'int',
			imports: 'int'
		},
		key: ['source', 'target', 'ccid']
	},
	ix_lease: { columns: { id: 'int', owner: 'text', until: 'int' }, key: ['id'] }
};

const SQL_TYPE = {
	int: { sqlite: 'bigint', postgres: 'bigint' },
	count: { sqlite: 'bigint default 0', postgres: 'bigint default 0' },
	// Texts sort by their bytes in both databases, so that a cursor means the same position in each.
	text: { sqlite: 'text', postgres: 'text collate "C"' },
	bytes: { sqlite: 'blob', postgres: 'bytea' }
} as const;

function withColumns(
	table: CreateTableBuilder<string>,
	plan: TablePlan,
	dialect: DatabaseDialect
): CreateTableBuilder<string, string> {
	let built: CreateTableBuilder<string, string> = table;
	for (const [name, kind] of Object.entries(plan.columns)) {
		const optional = kind.endsWith('?');
		const type = SQL_TYPE[kind.replace('?', '') as keyof typeof SQL_TYPE][dialect];
		built = built.addColumn(name, sql.raw(type), (column) =>
			optional ? column : column.notNull()
		);
	}
	return built;
}

async function createTables(
	db: Kysely<unknown>,
	dialect: DatabaseDialect,
	plans: Readonly<Record<string, TablePlan>>
): Promise<void> {
	for (const [name, plan] of Object.entries(plans)) {
		let table = withColumns(db.schema.createTable(name), plan, dialect).addPrimaryKeyConstraint(
			`${name}_key`,
			[...plan.key]
		);
		// Rows are stored in key order, so that neighbors in a list are neighbors on disk.
		if (dialect === 'sqlite') table = table.modifyEnd(sql`without rowid`);
		await table.execute();
		for (const [number, index] of (plan.indexes ?? []).entries()) {
			const unique = index.unique ? 'unique ' : '';
			const where = index.where === undefined ? '' : ` where ${index.where}`;
			await sql
				.raw(
					`create ${unique}index ${name}_by${number + 1} on ${name} (${index.columns.join(', ')})${where}`
				)
				.execute(db);
		}
	}
}

/** Creates tables that are derived from names, and fills them for the tokens already indexed. */
async function createFromNames(
	db: Kysely<unknown>,
	dialect: DatabaseDialect,
	plans: Readonly<Record<string, TablePlan>>,
	insert: typeof insertNames
): Promise<void> {
	await createTables(db, dialect, plans);
	// The caller runs each step in a transaction.
	const trx = db as unknown as IndexTrx['trx'];
	for (let after = { chain: -1n, seq: -1n }; ;) {
		const tokens = await trx
			.selectFrom('ix_tokens')
			.select(['chain', 'seq', 'name'])
			.where(sql<boolean>`(chain, seq) > (${after.chain}, ${after.seq})`)
			.orderBy('chain')
			.orderBy('seq')
			.limit(2_000)
			.execute();
		const last = tokens.at(-1);
		if (last === undefined) return;
		await insert({ trx, dialect }, tokens);
		after = last;
	}
}

/**
 * Indexes for lists that filter few of many rows and sort by another column. Without them such a list would scan
 * all the rows that it does not show.
 */
const NARROWED: readonly (readonly [table: string, columns: string, where?: string])[] = [
	...['nft_code is not null', 'origin_chain is not null'].flatMap((where) =>
		['name_key', 'supply', 'holders', 'transfers'].map(
			(column) => ['ix_tokens', `chain, ${column}, seq`, where] as const
		)
	),
	['ix_burns', 'target, time, chain, seq'],
	...[
		'import_seq is null',
		'import_seq is not null',
		'tokenid is not null',
		'tokenid is null'
	].flatMap((where) =>
		['time, chain, seq', 'chain, time, seq', 'target, time, chain, seq'].map(
			(columns) => ['ix_burns', columns, where] as const
		)
	)
];
/** Indexes of the first step that these replace. */
const REPLACED = ['ix_burns_by4', 'ix_burns_by5', 'ix_burns_by6'];

async function createNarrowed(db: Kysely<unknown>): Promise<void> {
	for (const name of REPLACED) await sql.raw(`drop index ${name}`).execute(db);
	for (const [number, [table, columns, where]] of NARROWED.entries()) {
		const rows = where === undefined ? '' : ` where ${where}`;
		await sql
			.raw(`create index ${table}_narrowed${number + 1} on ${table} (${columns})${rows}`)
			.execute(db);
	}
}

/**
 * Indexes for lists that PostgreSQL would otherwise sort: its indexes contain only their own columns, while in
 * SQLite the key of the table follows them.
 */
async function createOrdered(db: Kysely<unknown>): Promise<void> {
	const ordered = [
		['ix_addresses', 'ix_addresses_by1', 'chain, balance, address'],
		['ix_holders', 'ix_holders_by2', 'holder, chain, token']
	] as const;
	for (const [table, replaced, columns] of ordered) {
		await sql.raw(`drop index ${replaced}`).execute(db);
		await sql.raw(`create index ${table}_ordered on ${table} (${columns})`).execute(db);
	}
}

/** Returns all indexes that the steps above create. */
function allIndexes(): IndexColumns[] {
	const planned = Object.entries<TablePlan>({ ...PLAN, ...NAMES }).flatMap(([table, plan]) => [
		{ table, name: table, columns: plan.key, partial: false },
		...(plan.indexes ?? []).map(({ columns, where }, at) => ({
			table,
			name: `${table}_by${at + 1}`,
			columns,
			partial: where !== undefined
		}))
	]);
	const narrowed = NARROWED.map(([table, columns, where], at) => ({
		table,
		name: `${table}_narrowed${at + 1}`,
		columns: columns.split(', '),
		partial: where !== undefined
	}));
	return [...planned.filter(({ name }) => !REPLACED.includes(name)), ...narrowed];
}

/**
 * From this step on, notarizations whose signers the daemon does not know are indexed too. Chains read before may
 * lack some, and the index does not say which, so every chain is read again.
 */
async function keepUnsigned(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable('ix_chains').addColumn('ccid', 'bigint').execute();
	await sql
		.raw(
			'create index ix_notarizations_unsigned on ix_notarizations (chain, seq) where signer_count = 0'
		)
		.execute(db);
	await readAgain(db);
}

/**
 * Makes every chain be read again from its start, by setting a start height that differs from the configured one. For
 * the steps below only: a server of an earlier release that still runs begins anew too, by its own rules, and leaves no
 * trace of it. A later change of the rules increases `RULES` of extract.ts instead.
 */
async function readAgain(db: Kysely<unknown>): Promise<void> {
	await sql.raw('update ix_chains set start_height = -1').execute(db);
}

/** Changes the lease of the indexer to the format of all other leases. */
async function fencedLease(db: Kysely<unknown>): Promise<void> {
	await db.schema.dropTable('ix_lease').execute();
	await db.schema
		.createTable('ix_lease')
		.addColumn('id', 'text', (c) => c.primaryKey())
		.addColumn('due_at', 'bigint', (c) => c.notNull())
		.addColumn('lease_owner', 'text')
		.addColumn('lease_until', 'bigint')
		.addColumn('fence', 'bigint', (c) => c.notNull())
		.execute();
	await sql`insert into ix_lease (id, due_at, fence) values (${INDEX_LEASE}, 0, 0)`.execute(db);
}

async function fencingToken(db: Kysely<unknown>): Promise<void> {
	await sql`alter table ix_lease rename column fence to fencing_token`.execute(db);
}

/** Adds the columns for what admins order: to pause a chain, and to read blocks again. */
async function addOrders(db: Kysely<unknown>): Promise<void> {
	const alter = () => db.schema.alterTable('ix_chains');
	await alter().addColumn('paused_at', 'bigint').execute();
	await alter().addColumn('paused_by', 'text').execute();
	await alter().addColumn('reindex_from', 'bigint').execute();
}

/** Adds the address of each holder, so that its tokens are found by address, even if their outputs moved many times. */
async function addHolderAddresses(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	const type = SQL_TYPE.text[dialect];
	await sql.raw(`alter table ix_holders add column address ${type}`).execute(db);
	// Temporary: without it each round would read the whole table.
	await sql.raw('create index ix_holders_holder on ix_holders (holder)').execute(db);
	for (let after = ''; ;) {
		const { rows } = await sql<{ holder: string }>`
			select distinct holder from ix_holders where holder > ${after} order by holder limit 500`.execute(
			db
		);
		const last = rows.at(-1);
		if (last === undefined) break;
		const addresses = rows.map(({ holder }) => sql`(${holder}, ${addressOfHolder(holder)})`);
		await sql`update ix_holders set address = known.column2
			from (values ${sql.join(addresses)}) as known
			where holder = known.column1`.execute(db);
		after = last.holder;
	}
	await sql.raw('drop index ix_holders_holder').execute(db);
	await sql.raw('create index ix_holders_address on ix_holders (chain, address)').execute(db);
}

/** Splits the sum that an address received, which can exceed 64 bits. */
async function splitReceived(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	await sql`alter table ix_addresses add column received_high bigint not null default 0`.execute(
		db
	);
	if (dialect === 'sqlite') {
		// SQLite turned a sum that did not fit into a floating-point number, which lost its last digits.
		const { rows } = await sql`
			select 1 from ix_addresses where typeof(received) <> 'integer' limit 1`.execute(db);
		if (rows.length > 0) await readAgain(db);
	}
	const part = sql.raw(String(SUM_PART));
	await sql`update ix_addresses set received = received % ${part}, received_high = received / ${part}
		where received >= ${part}`.execute(db);
}

/** Does the same for the totals burned and imported between two chains. */
async function splitFlows(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	const part = sql.raw(String(SUM_PART));
	for (const column of ['burned', 'imported']) {
		const [low, high] = [sql.ref(column), sql.ref(`${column}_high`)];
		await sql`alter table ix_flows add column ${high} bigint not null default 0`.execute(db);
		if (dialect === 'sqlite') {
			const { rows } = await sql`
				select 1 from ix_flows where typeof(${low}) <> 'integer' limit 1`.execute(db);
			if (rows.length > 0) await readAgain(db);
		}
		await sql`update ix_flows set ${low} = ${low} % ${part}, ${high} = ${low} / ${part}
			where ${low} >= ${part}`.execute(db);
	}
}

/** Adds by which rules a chain was read; 0 for the chains that are there, so that each is read again once. */
async function recordRules(db: Kysely<unknown>): Promise<void> {
	await sql`alter table ix_chains add column rules bigint not null default 0`.execute(db);
}

async function createStatistics(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	if (dialect === 'sqlite') await tellPlanner(db, allIndexes());
}

/**
 * Indexes for the reconciliation, which shows few of many routes: anyone can burn for an invented chain or CCid. The
 * planner had been told that routes are few.
 */
async function addRouteIndexes(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
	for (const [what, where] of [
		['burned', ''],
		['imported', 'where imports > 0']
	] as const) {
		await sql
			.raw(
				`create index ix_flows_${what} on ix_flows (${what}_high, ${what}, source, target, ccid) ${where}`
			)
			.execute(db);
	}
	await sql
		.raw(
			'create index ix_burns_open on ix_burns (target, target_ccid, chain) where import_seq is null'
		)
		.execute(db);
	await createStatistics(db, dialect);
}

/** The schema migrations of the index. */
export const indexMigrations: Readonly<Record<string, Migration>> = {
	index_001_tables: { up: (db, dialect) => createTables(db, dialect, PLAN) },
	index_002_names: { up: (db, dialect) => createFromNames(db, dialect, NAMES, insertNames) },
	index_003_narrowed: { up: createNarrowed },
	index_004_statistics: { up: createStatistics },
	index_004_ordered: { up: createOrdered },
	index_005_looks: { up: (db, dialect) => createFromNames(db, dialect, LOOKS, insertLooks) },
	index_006_unsigned: { up: keepUnsigned },
	// Notary approvals and sources of self-imports had been indexed as plain transfers.
	index_007_named: { up: readAgain },
	index_008_fenced_lease: { up: fencedLease },
	index_009_fencing_token: { up: fencingToken },
	index_010_orders: { up: addOrders },
	index_011_holder_addresses: { up: addHolderAddresses },
	index_012_split_received: { up: splitReceived },
	index_013_split_flows: { up: splitFlows },
	// The coins of the genesis block had been counted to an address, and fees of shielded transactions as unknown.
	index_014_genesis: { up: readAgain },
	index_015_rules: { up: recordRules },
	index_016_routes: { up: addRouteIndexes }
};
