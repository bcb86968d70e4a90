/**
 * Notices: which members are notified of what, over which channels. Every server polls for events; the runner
 * delivers, under leases that any number of servers share.
 */
import type { AuditExportConfig, SmtpConfig } from '../../platform/config/mail.ts';
import type { Database } from '../../platform/database/database.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import { RowLeases } from '../../platform/jobs/rows.ts';
import { Runner, type Held, type RunnerParts } from '../../platform/jobs/runner.ts';
import { readListedPrivate, type ListedPrivate } from '../../platform/net/ranges.ts';
import type { ClockDoubt } from '../../platform/audit-trail/clockDoubt.ts';
import type { Cipher } from '../../platform/secrets/encrypt.ts';
import { createEgress, type Egress, type Resolve } from '../../kdf/egress/egress.ts';
import type { SessionRule } from '../accounts/sessions/sessionRule.ts';
import type { Audit } from '../audit/audit.ts';
import type { FactorSettings } from '../security-settings/lacksFactor.ts';
import type { AccessTables } from '../tables.ts';
import { createAddresses, type Addresses } from './addresses.ts';
import {
	createAuditExport,
	EXPORT_EVERY_MS,
	exportedUpTo,
	exportJob,
	wakeExport
} from './auditExport.ts';
import { createBrowsers, type Browsers } from './browsers.ts';
import { CHANGES_EVERY_MS, createReadChanges, jobOf, type ChangeSource } from './changesJob.ts';
import { clean } from './cleaningJob.ts';
import { EVENTS_EVERY_MS, readEvents, type JobParts, type Looked } from './eventsJob.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createMailer } from './mailer.ts';
import { createMailSender } from './mailSender.ts';
import { beginAt } from './place.ts';
import { leaveToOthers } from './queue.ts';
import { createPreferences, type Preferences } from './preferences.ts';
import { createPushSender } from './pushSender.ts';
import { openVapidKeys } from './vapid.ts';
import { databaseClock } from '../../platform/database/databaseClock.ts';
import { createReadLevels, LEVELS_EVERY_MS, type LevelSource } from './watchesJob.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';
import { createWebhookSender } from './webhookSender.ts';

export interface Notifications {
	inbox: Inbox;
	preferences: Preferences;
	addresses: Addresses;
	browsers: Browsers;
	webhooks: Webhooks;
	/** The public key of Web Push. */
	pushKey: string;
	/**
	 * The URL to which audit events are streamed, and the number of the last event accepted there; null: not
	 * configured.
	 */
	exported(): Promise<{ url: string; last: number } | null>;
	start(): void;
	/**
	 * Runs the polls and the jobs that are due, and those that become due by them, without waiting for the
	 * runner.
	 */
	advanceDue(): Promise<void>;
	stop(): Promise<void>;
}

interface NotificationsParts {
	db: Database<AccessTables>;
	audit: Audit;
	cipher: Cipher;
	smtp: SmtpConfig | null;
	auditExport: AuditExportConfig | null;
	/** Private servers that deliveries may reach. */
	listed: readonly ListedPrivate[];
	/** The public address of this installation, without a trailing slash. */
	origin: string;
	/** Sources of notices besides the audit log: changes in tables, and watched states. */
	changes: readonly ChangeSource[];
	levels: readonly LevelSource[];
	/** How long sessions last now. */
	sessionRule: () => Promise<SessionRule>;
	/** The roles that require a second factor now. */
	factorSettings: () => Promise<FactorSettings>;
	/** Resolves host names, in place of the system's resolver. */
	resolve?: Resolve;
	/** Unix milliseconds. */
	clock?: () => number;
	/** What the clock may be ahead. */
	doubt: ClockDoubt;
	onError?: RunnerParts['onError'];
	onStep?: RunnerParts['onStep'];
	news?: RunnerParts['news'];
}

/** A poll for events to notify of. */
interface Look {
	everyMs: number;
	look: () => Promise<Looked>;
}

const AT_ONCE = 4;
const TIMEOUT_MS = 2_000;

export async function createNotifications(parts: NotificationsParts): Promise<Notifications> {
	const { db, audit, cipher, smtp, origin, auditExport, changes, levels } = parts;
	const clock = parts.clock ?? Date.now;
	const egress = createEgress({
		listed: () => parts.listed,
		...(parts.resolve === undefined ? {} : { resolve: parts.resolve })
	});
	const mailer = smtp === null ? null : createMailer(smtp);
	const vapid = await openVapidKeys(db, cipher);
	const job: JobParts = { db, mail: mailer !== null, clock };
	const { factorSettings } = parts;
	const times = { clock, doubt: parts.doubt };
	const sender = { db, audit, cipher, egress, origin, factorSettings, ...times };
	const sendMail = mailer === null ? null : createMailSender({ ...sender, mailer });
	const sendWebhook = createWebhookSender(sender);
	const sendPush = createPushSender({
		...sender,
		vapid,
		sessionRule: parts.sessionRule,
		subject: smtp !== null ? `mailto:${smtp.from}` : origin
	});
	const exporting = auditExport === null ? null : exportJob(auditExport);
	const exportEvents =
		auditExport === null
			? null
			: createAuditExport({ db, clock, to: auditExport, egress: toConfigured(auditExport, parts) });

	async function step(held: Held): Promise<void> {
		const { id } = held;
		if (id === 'cleaning') return clean(job, parts.doubt, held);
		if (id === exporting && exportEvents !== null) return exportEvents(held);
		if (id.startsWith('webhook:')) return sendWebhook(held);
		if (id.startsWith('push:')) return sendPush(held);
		if (id.startsWith('mail:') && sendMail !== null) return sendMail(held);
		await leaveToOthers(db, held, times);
	}

	await beginAt(db, 'events', 0);
	for (const source of changes) await beginAt(db, jobOf(source), clock());
	if (exporting !== null) await beginAt(db, exporting, 0);

	const runner = new Runner({
		leases: new RowLeases({ db, table: 'notice_jobs', clock: parts.clock }),
		step,
		maxConcurrency: AT_ONCE,
		timeoutMs: TIMEOUT_MS,
		onError: parts.onError,
		onStep: parts.onStep,
		news: parts.news
	});

	/** Polls that find events; the runner delivers what they enqueue. */
	const looks: Record<string, Look> = {
		events: { everyMs: EVENTS_EVERY_MS, look: () => readEvents(job) },
		watches: {
			everyMs: LEVELS_EVERY_MS,
			look: createReadLevels(job, parts.clock ?? databaseClock(db) ?? clock, levels)
		}
	};
	for (const source of changes) {
		const look = createReadChanges(job, source);
		looks[jobOf(source)] = { everyMs: CHANGES_EVERY_MS, look };
	}
	if (exporting !== null) {
		const look = (): Promise<Looked> => wakeExport(db, exporting, clock());
		looks[exporting] = { everyMs: EXPORT_EVERY_MS, look };
	}
	const wakes = ({ everyMs, look }: Look) => ({
		everyMs,
		run: async () => {
			const found = await look();
			if (found === 'news') runner.wake();
			return found;
		}
	});
	const rounds = createRounds(
		Object.fromEntries(Object.entries(looks).map(([id, look]) => [id, wakes(look)])),
		{ onError: parts.onError, onStep: parts.onStep, timeoutMs: TIMEOUT_MS, news: parts.news }
	);

	return {
		inbox: createInbox(db, clock),
		preferences: createPreferences(db, audit),
		addresses: createAddresses({ db, audit, mailer, origin, clock }),
		browsers: createBrowsers({ db, audit, cipher, clock }),
		webhooks: createWebhooks({
			db,
			audit,
			cipher,
			clock,
			listed: () => parts.listed,
			wake: () => runner.wake()
		}),
		pushKey: vapid.publicKey,
		async exported() {
			if (auditExport === null) return null;
			return { url: auditExport.url, last: Number(await exportedUpTo(db, auditExport)) };
		},
		start() {
			rounds.start();
			runner.start();
		},
		async advanceDue() {
			for (const { look } of Object.values(looks)) await look();
			await runner.advanceDue();
		},
		async stop() {
			await rounds.stop();
			await runner.stop();
			mailer?.close();
		}
	};
}

/** Egress to the one server that the configuration names, which is allowed even if its address is private. */
function toConfigured(
	to: AuditExportConfig,
	{ listed, resolve }: Pick<NotificationsParts, 'listed' | 'resolve'>
): Pick<Egress, 'http' | 'dial'> {
	const { hostname, port } = new URL(to.url);
	const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
	const usual = to.kind === 'https' ? 443 : to.port;
	const own = readListedPrivate(
		`${host.includes(':') ? `[${host}]` : host}:${port === '' ? usual : port}`
	);
	return createEgress({
		listed: () => (own === null ? listed : [...listed, own]),
		...(resolve === undefined ? {} : { resolve })
	});
}
