/** The hub of live pages: polls for news while a stream is open, and sends events to every open stream. */
import type { SessionRule } from '../../access/accounts/sessions/sessionRule.ts';
import { checkWho } from '../../access/policy/allow.ts';
import type { Identity } from '../../access/identity/identity.ts';
import type { ActingRole } from '../../access/identity/roles.ts';
import { routes, type Who } from '../../access/policy/routes.ts';
import type { FactorSettings } from '../../access/security-settings/lacksFactor.ts';
import type { Index } from '../../chains/indexer/open.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/writeNotices.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { eventText, RecentEvents, type LiveEvent, type Numbered } from './events.ts';
import type { Frame } from './frame.ts';
import { admit, STREAM_LIMITS, type Full, type Holder, type StreamLimits } from './pools.ts';
import { credentialOf, rolesNow, type Credential } from './credential.ts';
import { createEventStream, type EventStream } from './stream.ts';
import type { LiveTables } from './tables.ts';
import { Watch } from './watch.ts';

interface LiveOptions {
	index: Index;
	db: Database<LiveTables>;
	/** Reads the stamps of what surrounds every page. */
	frame?: () => Promise<Frame>;
	/**
	 * Returns a text that changes with state that only this process knows, and of which no database write gives
	 * notice.
	 */
	ownNews?: () => string;
	/** Notifies of writes by all servers; while it is listening, unprompted polls are rare. */
	writes?: Pick<Listener, 'isHearing' | 'onWord'> | undefined;
	/** Milliseconds between two polls. */
	pollMs?: number;
	/** Milliseconds between two polls while each write is notified. */
	quietMs?: number;
	/** Milliseconds between two heartbeats on each stream. */
	beatMs?: number;
	/** Overrides of the limits of open streams. */
	limits?: Partial<StreamLimits>;
	/** Called when something was written, before open pages are told and read it. */
	onNews?: () => void;
	onError?: (error: unknown) => void;
	/** Returns the current lifetimes of sessions. */
	sessionRule: () => Promise<SessionRule>;
	/** Returns the current requirements for second factors. */
	settings: () => Promise<FactorSettings>;
}

export interface ReaderRequest {
	identity: Identity;
	/** Client address, as reported by trusted proxies. */
	address: string;
	/** Id of the last event that the client has; null when it has none. */
	after: string | null;
}

export interface Live {
	/** Opens an event stream, or says which limit is reached. */
	open(request: ReaderRequest): ReadableStream<Uint8Array> | { full: Full };
	/** Id of the last event: a page rendered now includes everything up to it. */
	position(): string;
	/** Polls now, because something was written. */
	nudge(): void;
	/** Number of open streams. */
	readonly readers: number;
	/** Closes all streams and stops polling. */
	stop(): void;
}

const POLL_MS = 250;
/** Delay when a notification is lost because a server was killed after its commit. Milliseconds. */
const QUIET_MS = 2_000;
/** Minimum interval between polls that notifications trigger: busy servers do not cause more. Milliseconds. */
const WORDS_APART_MS = 100;
const BEAT_MS = 15_000;
/** Pause after a failed poll: an unavailable database must not flood the log. Milliseconds. */
const FAULT_MS = 2_000;
/** How often the credentials of open streams are checked. Milliseconds. */
const CREDENTIALS_EVERY = 1_000;
/** Missed events are sent up to this size; beyond it the page is reloaded, which is cheaper. Characters. */
const MOST_MISSED = 32 * 1024;

interface Reader extends Holder {
	stream: EventStream;
	credential: Credential;
	/** Role under which the stream was opened. */
	role: ActingRole;
	/** Whether the caller may see the page that the event concerns. */
	may: (event: LiveEvent) => boolean;
}

/** Access to the page that each type of event concerns. */
const PAGES: Record<LiveEvent['type'], Who> = {
	block: routes['/chains/[chain]/blocks'].GET,
	notarization: routes['/chains/[chain]/notarizations'].GET,
	chain: routes['/chains/[chain]'].GET,
	frame: routes['/'].GET,
	team: routes['/daemons'].GET,
	migration: routes['/migrations/[id]'].GET,
	published: routes['/notary-approvals'].GET,
	activation: routes['/kdf/tasks/[id]'].GET,
	notices: routes['/notifications'].GET
};

const mayHear =
	(identity: Identity) =>
	(event: LiveEvent): boolean => {
		if (event.type === 'notices' && event.account !== identity.account?.id) return false;
		// Whether visitors may read at all was checked before the stream was opened.
		return checkWho(PAGES[event.type], identity, true) === 'allowed';
	};

/** Starts with a first poll, which defines what counts as new. */
export async function createLive(options: LiveOptions): Promise<Live> {
	const {
		index,
		db,
		frame,
		writes,
		ownNews = () => '',
		pollMs = POLL_MS,
		quietMs = QUIET_MS,
		beatMs = BEAT_MS,
		onNews = () => undefined,
		onError = () => undefined
	} = options;
	const limits = { ...STREAM_LIMITS, ...options.limits };
	const recent = new RecentEvents();
	const watch = new Watch({ index, db, frame });
	const readers = new Set<Reader>();
	let stopped = false;
	let timer: NodeJS.Timeout | undefined;
	let looking = false;
	/** A poll was requested and has not started. */
	let asked = false;
	let checking: NodeJS.Timeout | undefined;
	let beatAt = 0;
	let lookedAt = -Infinity;
	let knownOwn = ownNews();
	await watch.look().catch(onError);

	const textOf = ({ n, event: { type, ...data } }: Numbered): string =>
		eventText(type, recent.idOf(n), type === 'notices' ? {} : data);
	const textFor = ({ may }: Reader, news: readonly Numbered[]): string =>
		news
			.filter(({ event }) => may(event))
			.map(textOf)
			.join('');
	const tell = (text: string): void => {
		for (const reader of [...readers]) reader.stream.send(text);
	};

	/** Closes streams whose credential is no longer valid or gives another role. */
	async function endStaleReaders(): Promise<void> {
		// Streams opened during the query are not part of it.
		const open = [...readers];
		const roles = await rolesNow(
			db,
			open.flatMap(({ credential }) => credential ?? []),
			await options.sessionRule(),
			await options.settings()
		);
		for (const { credential, role, stream } of open) {
			if (credential !== null && roles.get(credential.key) !== role) stream.end();
		}
	}

	/** Runs on its own timer, so that a slow poll does not delay it. */
	function check(): void {
		checking = undefined;
		if (stopped || readers.size === 0) return;
		endStaleReaders()
			.catch(onError)
			.finally(() => {
				checking ??= setTimeout(check, CREDENTIALS_EVERY).unref();
			});
	}

	async function look(): Promise<void> {
		const now = performance.now();
		lookedAt = now;
		knownOwn = ownNews();
		const events = await watch.look();
		if (events.length > 0) onNews();
		const news = events.map((event) => recent.add(event));
		if (news.length > 0)
			for (const reader of [...readers]) reader.stream.send(textFor(reader, news));
		if (now >= beatAt) {
			beatAt = now + beatMs;
			tell(eventText('beat', recent.position, {}));
		}
	}

	function run(): void {
		clearTimeout(timer);
		if (stopped || readers.size === 0) return;
		if (looking) {
			asked = true;
			return;
		}
		looking = true;
		asked = false;
		let pause = pollMs;
		look()
			.catch((error: unknown) => {
				pause = FAULT_MS;
				onError(error);
			})
			.finally(() => {
				looking = false;
				wait(pause);
			});
	}

	/** Schedules the next tick, earlier when a poll was requested in the meantime. */
	function wait(pause: number): void {
		clearTimeout(timer);
		if (stopped || readers.size === 0) return;
		const apart = writes === undefined ? 0 : WORDS_APART_MS;
		const early = Math.max(0, apart - (performance.now() - lookedAt));
		timer = setTimeout(tick, asked ? early : pause).unref();
	}

	/** Polls, unless every write is notified and there was none. */
	function tick(): void {
		const quiet = writes?.isHearing === true && performance.now() - lookedAt < quietMs;
		if (quiet && !asked && ownNews() === knownOwn) wait(pollMs);
		else run();
	}

	writes?.onWord(() => {
		asked = true;
		if (!looking) wait(pollMs);
	});

	return {
		open({ identity, address, after }) {
			if (stopped) return { full: 'server' };
			const holder: Holder = {
				member: identity.account?.id ?? null,
				address: networkOf(address)
			};
			const admission = admit([...readers], holder, limits);
			if ('full' in admission) return admission;
			admission.closes?.stream.end();
			const reader: Reader = {
				...holder,
				stream: createEventStream(() => readers.delete(reader)),
				may: mayHear(identity),
				credential: credentialOf(identity),
				role: identity.role
			};
			const missed = after === null ? [] : recent.after(after);
			const text = missed === null ? null : textFor(reader, missed);
			readers.add(reader);
			reader.stream.send(
				text === null || text.length > MOST_MISSED
					? eventText('reset', recent.position, {})
					: text + eventText('beat', recent.position, {})
			);
			checking ??= setTimeout(check, CREDENTIALS_EVERY).unref();
			run();
			return reader.stream.body;
		},
		position: () => recent.position,
		nudge: run,
		get readers() {
			return readers.size;
		},
		stop() {
			stopped = true;
			clearTimeout(timer);
			clearTimeout(checking);
			for (const reader of [...readers]) reader.stream.end();
		}
	};
}
