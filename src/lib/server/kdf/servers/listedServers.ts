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
	/** Returns the private addresses that an admin has allowed. */
	opened(): Promise<readonly ListedPrivate[]>;
}

export function createListedServers(
	db: Database<KdfTables>,
	audit: AuditTrail,
	refuseFormerAdmin: FormerAdminRefusal
): ListedServers {
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
		},
		async remove(coin, url, protocol, by) {
			return db.transaction().execute(async (trx) => {
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
		},
		// Not cached: another server may have changed the list, and an activation that is refused by it has ended.
		async opened() {
			const rows = await db
				.selectFrom('listed_servers')
				.select('url')
				.where('private', '=', 1n)
				.execute();
			return rows.flatMap(({ url }) => readListedPrivate(url) ?? []);
		}
	};
}
