/**
 * The hub of live pages: looks for news while somebody listens and tells every open stream.
 */
import type { Identity } from '../auth/identity.ts';
import type { Db } from '../db/open.ts';
import { mayAccess, type Access } from '../auth/permissions.ts';
import { routes } from '../auth/routes.ts';
import { stands } from '../guards/stands.ts';
import type { Index } from '../indexer/open.ts';
import { eventText, RecentEvents, type LiveEvent, type Numbered } from './events.ts';
import { stillSignedIn } from './sessions.ts';
import { createEventStream, type EventStream } from './stream.ts';
import { Watch } from './watch.ts';

export interface LiveOptions {
	index: Index;
	db: Db;
	/** Milliseconds between two looks. */
	pollMs?: number;
	/** Milliseconds between two signs of life on each stream. */
	beatMs?: number;
	/** Streams that one address may have open. */
	perAddress?: number;
	onError?: (error: unknown) => void;
}

export interface ReaderRequest {
	identity: Identity;
	/** Of the client, as far as proxies tell. */
	address: string;
	/** The id of the last event that the reader has; null when it has none. */
	after: string | null;
}

export interface Live {
	/** A stream of events for a reader; null when its address, or this server, has too many open. */
	open(request: ReaderRequest): ReadableStream<Uint8Array> | null;
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
const BEAT_MS = 15_000;
/** The pause after a look that failed: a database that is away fills no log. Milliseconds. */
const FAULT_MS = 2_000;
const PER_ADDRESS = 24;
const READERS = 2_000;
/** How often it is looked whether the sessions behind the streams have ended. Milliseconds. */
const SESSIONS_EVERY = 1_000;
/** A stream that a token opened ends after this time: the next one shows whether the token is still good. */
const TOKEN_MS = 10 * 60_000;

interface Reader {
	stream: EventStream;
	address: string;
	sessionHash: string | null;
	/** Whether the person may see the page that the event is about. */
	may: (event: LiveEvent) => boolean;
	/** When it ends at the latest, `performance.now()`. */
	until: number;
}

/** Events of pages that not everybody sees who may listen; all others are for every listener. */
const PAGES: Partial<Record<LiveEvent['type'], Access>> = {
	activation: routes['/trading/tasks/[id]'].GET
};

const mayHear =
	({ role }: Identity) =>
	({ type }: LiveEvent): boolean => {
		const page = PAGES[type];
		// Whether visitors may read at all was asked before the stream was opened.
		return page === undefined || mayAccess(role, page, true);
	};

/** Begins with a first look: what comes after it is new. */
export async function createLive(options: LiveOptions): Promise<Live> {
	const { index, db, pollMs = POLL_MS, beatMs = BEAT_MS, onError = () => undefined } = options;
	const { perAddress = PER_ADDRESS } = options;
	const recent = new RecentEvents();
	const watch = new Watch({ index, db });
	const readers = new Set<Reader>();
	let stopped = false;
	let timer: NodeJS.Timeout | undefined;
	let looking = false;
	let again = false;
	let sessionsAt = 0;
	let beatAt = 0;
	await watch.look().catch(onError);

	const textOf = ({ n, event: { type, ...data } }: Numbered): string =>
		eventText(type, recent.idOf(n), data);
	const textFor = ({ may }: Reader, news: readonly Numbered[]): string =>
		news
			.filter(({ event }) => may(event))
			.map(textOf)
			.join('');
	const tell = (text: string): void => {
		for (const reader of [...readers]) reader.stream.send(text);
	};

	async function endStaleReaders(now: number): Promise<void> {
		for (const reader of [...readers]) if (now >= reader.until) reader.stream.end();
		const hashes = [...readers].flatMap(({ sessionHash }) => sessionHash ?? []);
		const open = await stillSignedIn(db, hashes);
		for (const reader of [...readers]) {
			const ended = reader.sessionHash !== null && !open.has(reader.sessionHash);
			if (ended && stands('stream-ends')) reader.stream.end();
		}
	}

	async function look(): Promise<void> {
		const now = performance.now();
		if (now >= sessionsAt) {
			sessionsAt = now + SESSIONS_EVERY;
			await endStaleReaders(now);
		}
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
			again = true;
			return;
		}
		looking = true;
		let pause = pollMs;
		look()
			.catch((error: unknown) => {
				pause = FAULT_MS;
				onError(error);
			})
			.finally(() => {
				looking = false;
				const wait = again ? 0 : pause;
				again = false;
				if (!stopped && readers.size > 0) timer = setTimeout(run, wait).unref();
			});
	}

	return {
		open({ identity, address, after }) {
			const same = [...readers].filter((reader) => reader.address === address).length;
			if (stopped || same >= perAddress || readers.size >= READERS) return null;
			const reader: Reader = {
				stream: createEventStream(() => readers.delete(reader)),
				address,
				may: mayHear(identity),
				sessionHash: identity.via === 'session' ? identity.session.idHash : null,
				until: identity.via === 'token' ? performance.now() + TOKEN_MS : Infinity
			};
			const missed = after === null ? [] : recent.after(after);
			readers.add(reader);
			reader.stream.send(
				missed === null
					? eventText('reset', recent.position, {})
					: textFor(reader, missed) + eventText('beat', recent.position, {})
			);
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
			for (const reader of [...readers]) reader.stream.end();
		}
	};
}
