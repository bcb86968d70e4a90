/**
 * The hub of live pages: looks for news while a stream is open and tells every open stream.
 */
import type { SessionRule } from '../../access/accounts/sessions/sessionRule.ts';
import { checkWho } from '../../access/policy/allow.ts';
import type { Identity } from '../../access/policy/identity.ts';
import type { ActingRole } from '../../access/policy/roles.ts';
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
	/** What stands around every page. */
	frame?: () => Promise<Frame>;
	/** A text of what this process knows by itself, which no write tells of: another one is worth a look. */
	ownNews?: () => string;
	/** Tells of writes of all servers; while it hears, a look without a call for it is rare. */
	writes?: Pick<Listener, 'isHearing' | 'onWord'> | undefined;
	/** Milliseconds between two looks. */
	pollMs?: number;
	/** Milliseconds between two looks while each write is told. */
	quietMs?: number;
	/** Milliseconds between two signs of life on each stream. */
	beatMs?: number;
	/** How many streams may be open, where it is not the usual. */
	limits?: Partial<StreamLimits>;
	onError?: (error: unknown) => void;
	/** How long sessions last now. */
	sessionRule: () => Promise<SessionRule>;
	/** Who has to have a second factor now. */
	settings: () => Promise<FactorSettings>;
}

export interface ReaderRequest {
	identity: Identity;
	/** Of the client, as far as proxies tell. */
	address: string;
	/** The id of the last event that the reader has; null when it has none. */
	after: string | null;
}

export interface Live {
	/** A stream of events for a reader, or what is full. */
	open(request: ReaderRequest): ReadableStream<Uint8Array> | { full: Full };
	/** The id of the last event: a page that is made now knows everything up to it. */
	position(): string;
	/** Looks at once: something was written. */
	nudge(): void;
	/** Open streams. */
	readonly readers: number;
	/** Ends all streams and looks no more. */
	stop(): void;
}

const POLL_MS = 250;
/** A word that was lost, of a server that was killed after its commit, costs that much. Milliseconds. */
const QUIET_MS = 2_000;
/** Between the beginnings of two looks that words ask for: many servers that write much ask no more. Milliseconds. */
const WORDS_APART_MS = 100;
const BEAT_MS = 15_000;
/** The pause after a look that failed: a database that is away fills no log. Milliseconds. */
const FAULT_MS = 2_000;
/** How often it is asked what the credentials behind the streams still give. Milliseconds. */
const CREDENTIALS_EVERY = 1_000;
/** What a browser missed is told up to this size; behind it the page is made again, which is less. Letters. */
const MOST_MISSED = 32 * 1024;

interface Reader extends Holder {
	stream: EventStream;
	credential: Credential;
	/** As which the stream was opened. */
	role: ActingRole;
	/** Whether the person may see the page that the event is about. */
	may: (event: LiveEvent) => boolean;
}

/** Who may see the page that an event is about. */
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
		// Whether visitors may read at all was asked before the stream was opened.
		return checkWho(PAGES[event.type], identity, true) === 'allowed';
	};

/** Begins with a first look: what comes after it is new. */
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
		onError = () => undefined
	} = options;
	const limits = { ...STREAM_LIMITS, ...options.limits };
	const recent = new RecentEvents();
	const watch = new Watch({ index, db, frame });
	const readers = new Set<Reader>();
	let stopped = false;
	let timer: NodeJS.Timeout | undefined;
	let looking = false;
	/** A look was asked for and has not begun. */
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

	/** Ends the streams whose session or token gives nothing any more, or another role than it did. */
	async function endStaleReaders(): Promise<void> {
		// Who comes meanwhile was not asked about.
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

	/** By itself, so that a slow look for news holds nothing up. */
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

	/** Until the next tick, or for a look that was asked for meanwhile. */
	function wait(pause: number): void {
		clearTimeout(timer);
		if (stopped || readers.size === 0) return;
		const apart = writes === undefined ? 0 : WORDS_APART_MS;
		const early = Math.max(0, apart - (performance.now() - lookedAt));
		timer = setTimeout(tick, asked ? early : pause).unref();
	}

	/** Looks, unless each write is told and none was. */
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
