/**
 * Streams the audit log to a log collector: every event that is still kept, in order, at least once. The
 * position is stored, and advances when the server has accepted a batch.
 */
import { once } from 'node:events';
import { hostname } from 'node:os';
import type { Egress } from '../../kdf/egress/egress.ts';
import type { AuditExportConfig } from '../../platform/config/mail.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { AT_REST } from '../../platform/jobs/rounds.ts';
import type { Held } from '../../platform/jobs/runner.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import { eventOf, rowsAfter, type AuditEvent } from '../audit/events.ts';
import type { AccessTables } from '../tables.ts';
import type { Looked } from './eventsJob.ts';
import { syslogFrame } from './syslog.ts';

/** How often the log is checked for events to send, in milliseconds. */
export const EXPORT_EVERY_MS = 2_000;
const BATCH = 200;
const TIMEOUT_MS = 15_000;

/** Id of a destination's job. A new destination gets a new job, which begins with the first event. */
export const exportJob = ({ url }: AuditExportConfig): string =>
	`audit-export:${sha256Hex(url).slice(0, 16)}`;

/** Returns the number of the last event that a destination has taken; null when there is no destination. */
export async function exportedUpTo(
	db: Executor<AccessTables>,
	to: AuditExportConfig | null
): Promise<bigint | null> {
	if (to === null) return null;
	const job = await db
		.selectFrom('notice_jobs')
		.select('position')
		.where('id', '=', exportJob(to))
		.executeTakeFirst();
	return job?.position ?? 0n;
}

/** An event as one line of JSON. It has the content of the audit log, which holds no credentials. */
const lineOf = (event: AuditEvent, hash: string): string =>
	JSON.stringify({
		seq: event.seq,
		time: new Date(event.time).toISOString(),
		actor: event.actor,
		action: event.action,
		kind: event.kind,
		target: event.target,
		place: event.place,
		outcome: event.outcome,
		request: event.request,
		detail: event.detail,
		hash
	});

/**
 * Makes the job due when the log has events after its position, unless it has a due time for its next
 * attempt.
 */
export async function wakeExport(
	db: Executor<AccessTables>,
	id: string,
	now: number
): Promise<Looked> {
	const waits = await db
		.selectFrom('notice_jobs as j')
		.select('j.id')
		.where('j.id', '=', id)
		.where('j.due_at', 'is', null)
		.where((where) =>
			where.exists(
				where.selectFrom('audit_events as e').select('e.seq').whereRef('e.seq', '>', 'j.position')
			)
		)
		.executeTakeFirst();
	if (waits === undefined) return AT_REST;
	await db
		.updateTable('notice_jobs')
		.set({ due_at: now })
		.where('id', '=', id)
		.where('due_at', 'is', null)
		.execute();
	return 'news';
}

interface Line {
	event: AuditEvent;
	text: string;
}

interface ExportParts {
	db: Database<AccessTables>;
	egress: Pick<Egress, 'http' | 'dial'>;
	to: AuditExportConfig;
	clock: () => number;
}

export function createAuditExport({ db, egress, to, clock }: ExportParts) {
	/**
	 * Sends a batch.
	 * @throws {AppError} `egress`, `notice.answered`
	 */
	async function send(lines: readonly Line[]): Promise<void> {
		if (to.kind === 'https') {
			const { status } = await egress.http(to.url, {
				method: 'POST',
				headers: {
					'content-type': 'application/x-ndjson',
					'user-agent': 'Komodeck',
					...(to.token === null ? {} : { authorization: `Bearer ${to.token}` })
				},
				body: lines.map(({ text }) => `${text}\n`).join(''),
				timeoutMs: TIMEOUT_MS,
				maxBytes: 'status-only'
			});
			if (status < 200 || status >= 300) throw new AppError('notice.answered', { status });
			return;
		}
		const { host, port, tls } = to;
		const socket = await egress.dial({ host, port }, { tls, timeoutMs: TIMEOUT_MS });
		const server = `${host}:${port}`;
		try {
			socket.setTimeout(TIMEOUT_MS, () =>
				socket.destroy(new AppError('egress.timeout', { server }))
			);
			// Syslog has no response: all that can be known is that the other end read everything and closed.
			socket.resume();
			socket.end(lines.map(({ event, text }) => syslogFrame(event, text, hostname())).join(''));
			await once(socket, 'close');
			if (socket.errored) throw socket.errored;
		} catch (cause) {
			if (cause instanceof AppError) throw cause;
			throw new AppError('egress.broken', { server, how: 'broke-off' }, { cause });
		} finally {
			socket.destroy();
		}
	}

	return async (held: Held): Promise<void> => {
		const { position } = await db
			.selectFrom('notice_jobs')
			.select('position')
			.where('id', '=', held.id)
			.executeTakeFirstOrThrow();
		const rows = await rowsAfter(db, position, BATCH);
		if (rows.length > 0) {
			await send(
				rows.map((row) => {
					const event = eventOf(row);
					return { event, text: lineOf(event, row.hash) };
				})
			);
		}
		const now = clock();
		await db.transaction().execute(async (trx) => {
			await held.keep(trx);
			await trx
				.updateTable('notice_jobs')
				.set({
					position: rows.at(-1)?.seq ?? position,
					due_at: rows.length === BATCH ? now : null
				})
				.where('id', '=', held.id)
				.execute();
		});
	};
}
