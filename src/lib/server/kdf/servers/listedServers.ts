/** Servers that an admin adds to those of the coins file, with permission for those in private networks. */
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { readListedPrivate, type ListedPrivate } from '../../platform/net/ranges.ts';
import type { ElectrumProtocol, ElectrumServer } from '../egress/electrumServer.ts';
import type { KdfTables } from '../tables.ts';

export interface ListedServer extends ElectrumServer {
	coin: string;
	/** Whether it may be in a private network. */
	private: boolean;
	addedBy: string;
	/** Unix milliseconds. */
	addedAt: number;
}

/** Member who changes the list. */
export interface ServerAdmin {
	id: string;
	name: string;
}

/**
 * Refuses a request whose admin was disabled or demoted after it arrived. The caller holds the lock of the audit log.
 */
export type FormerAdminRefusal = (trx: Executor<KdfTables>, by: ServerAdmin) => Promise<void>;

export interface ListedServers {
	/** Returns all servers, sorted by coin. */
	list(): Promise<ListedServer[]>;
	/** Adds a server, or replaces its entry. */
	add(server: Omit<ListedServer, 'addedBy' | 'addedAt'>, by: ServerAdmin): Promise<void>;
	/** Removes a server. Returns false when it is not in the list. */
	remove(coin: string, url: string, protocol: ElectrumProtocol, by: ServerAdmin): Promise<boolean>;
	/** Returns the private addresses that an admin has allowed, as last read. */
	opened(): readonly ListedPrivate[];
}

/** How old the list of allowed addresses may be on servers other than the one that changed it, milliseconds. */
const LOOK_EVERY_MS = 2_000;

export async function createListedServers(
	db: Database<KdfTables>,
	audit: AuditTrail,
	refuseFormerAdmin: FormerAdminRefusal
): Promise<ListedServers> {
	let open: ListedPrivate[] = [];
	let lookedAt = -Infinity;

	async function look(): Promise<void> {
		lookedAt = performance.now();
		const rows = await db
			.selectFrom('listed_servers')
			.select('url')
			.where('private', '=', 1n)
			.execute();
		open = rows.flatMap(({ url }) => readListedPrivate(url) ?? []);
	}
	await look();

	return {
		async list() {
			const rows = await db
				.selectFrom('listed_servers')
				.selectAll()
				.orderBy('coin')
				.orderBy('url')
				.orderBy('protocol')
				.execute();
			return rows.map((row) => ({
				coin: row.coin,
				url: row.url,
				protocol: row.protocol,
				...(row.any_certificate === 1n ? { disable_cert_verification: true } : {}),
				private: row.private === 1n,
				addedBy: row.added_by,
				addedAt: Number(row.added_at)
			}));
		},
		async add(server, by) {
			const { coin, url, protocol } = server;
			const facts = {
				any_certificate: server.disable_cert_verification === true ? 1 : 0,
				private: server.private ? 1 : 0,
				added_by: by.name,
				added_at: Date.now()
			};
			await db.transaction().execute(async (trx) => {
				await trx
					.insertInto('listed_servers')
					.values({ coin, url, protocol, ...facts })
					.onConflict((conflict) =>
						conflict.columns(['coin', 'url', 'protocol']).doUpdateSet(facts)
					)
					.execute();
				touch(trx, 'listed_servers', [coin, url, protocol]);
				await audit.append(
					{
						actor: by.name,
						action: 'servers.added',
						target: coin,
						detail: { url, protocol, private: server.private }
					},
					trx
				);
				await refuseFormerAdmin(trx, by);
			});
			await look();
		},
		async remove(coin, url, protocol, by) {
			const removed = await db.transaction().execute(async (trx) => {
				const { numDeletedRows } = await trx
					.deleteFrom('listed_servers')
					.where('coin', '=', coin)
					.where('url', '=', url)
					.where('protocol', '=', protocol)
					.executeTakeFirst();
				if (numDeletedRows === 0n) return false;
				touch(trx, 'listed_servers', [coin, url, protocol]);
				await audit.append(
					{ actor: by.name, action: 'servers.removed', target: coin, detail: { url, protocol } },
					trx
				);
				await refuseFormerAdmin(trx, by);
				return true;
			});
			await look();
			return removed;
		},
		opened() {
			if (performance.now() - lookedAt > LOOK_EVERY_MS) void look().catch(() => undefined);
			return open;
		}
	};
}
