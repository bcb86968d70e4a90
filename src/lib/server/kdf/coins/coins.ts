/** The coins that can be activated, from the coins file and the server lists next to it. */
import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { coinsFile } from '#lib/messages/coinsFile.ts';
import { someAtATime } from '../../platform/async/someAtATime.ts';
import { byKind, readCoins, readServers, serverListOf, type Coin } from './parse.ts';

/** All coins, as read at one moment. */
export interface CoinCatalog {
	/** In the order of the file. */
	coins: readonly Coin[];
	/** Messages for an admin about entries that could not be used. */
	problems: readonly string[];
}

export interface Coins {
	/** Returns the current coins; the files are read again when they have changed. */
	catalog(): Promise<CoinCatalog>;
	/** Finds a coin by its exact ticker. */
	find(ticker: string): Promise<Coin | undefined>;
}

const EMPTY: CoinCatalog = { coins: [], problems: [] };
/** The public file has 1 MB. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Number of server lists that are checked at the same time: there are hundreds. */
const AT_ONCE = 16;
/** Interval between checks for changed files, milliseconds. */
const LOOK_EVERY_MS = 2_000;

const stampOfStats = ({ mtimeMs, size }: Stats): string => `${mtimeMs} ${size}`;

/** Reads a JSON file; returns a message when it cannot be used. */
async function jsonOf(file: string): Promise<{ content: unknown } | { problem: string }> {
	try {
		const { size } = await stat(file);
		if (size > MOST_BYTES) return { problem: coinsFile.tooLarge(file) };
		return { content: JSON.parse(await readFile(file, 'utf8')) };
	} catch (error) {
		return {
			problem: error instanceof SyntaxError ? coinsFile.notJson(file) : coinsFile.unreadable(file)
		};
	}
}

/**
 * Returns the server lists of a folder, each with a stamp that changes when the file is written, even in
 * place. Links are followed.
 */
async function listsIn(folder: string): Promise<{ name: string; stamp: string }[]> {
	const names = await readdir(folder).catch(() => []);
	const found = await someAtATime(names.sort(), AT_ONCE, async (name) => {
		// The list may have been removed since, and a link may be dangling.
		const facts = await stat(join(folder, name)).catch(() => null);
		return facts?.isFile() === true ? [{ name, stamp: stampOfStats(facts) }] : [];
	});
	return found.flat();
}

/**
 * Reads `electrums/` next to the coins file. A ticker never becomes part of a path: existing names are looked up.
 */
async function serverLists(
	folder: string,
	problems: string[]
): Promise<Map<string, Coin['servers']>> {
	const lists = new Map<string, Coin['servers']>();
	for (const { name } of await listsIn(folder)) {
		const read = await jsonOf(join(folder, name));
		if ('problem' in read) {
			problems.push(read.problem);
			continue;
		}
		const { servers, problems: more } = readServers(read.content, join(folder, name));
		problems.push(...more);
		lists.set(name.replace(/\.json$/, ''), servers);
	}
	return lists;
}

async function readCatalog(file: string): Promise<CoinCatalog> {
	const read = await jsonOf(file);
	if ('problem' in read) return { coins: [], problems: [read.problem] };
	const { coins, problems } = readCoins(read.content);
	const lists = await serverLists(join(dirname(file), 'electrums'), problems);
	return {
		coins: coins.map((coin) =>
			coin.servers.length > 0
				? coin
				: {
						...coin,
						...byKind(lists.get(coin.ticker) ?? lists.get(serverListOf(coin.ticker)) ?? [])
					}
		),
		problems
	};
}

/** Returns a stamp that changes when one of the files is written. */
async function stampOf(file: string): Promise<string> {
	const [own, lists] = await Promise.all([
		stat(file).then(stampOfStats, () => 'none'),
		listsIn(join(dirname(file), 'electrums'))
	]);
	return JSON.stringify([own, lists]);
}

/**
 * Reads the coins file and the server lists next to it.
 * @param file path of the `coins` file; null when none is configured
 */
export function createCoins(file: string | null): Coins {
	let stamp: string | null = null;
	let lookedAt = -Infinity;
	let reading: Promise<CoinCatalog> = Promise.resolve(EMPTY);

	async function catalog(): Promise<CoinCatalog> {
		if (file === null) return EMPTY;
		if (performance.now() - lookedAt < LOOK_EVERY_MS) return reading;
		lookedAt = performance.now();
		const before = reading;
		reading = (async () => {
			const now = await stampOf(file);
			if (now === stamp) return before;
			stamp = now;
			return readCatalog(file);
		})();
		return reading;
	}

	return {
		catalog,
		async find(ticker) {
			return (await catalog()).coins.find((coin) => coin.ticker === ticker);
		}
	};
}
