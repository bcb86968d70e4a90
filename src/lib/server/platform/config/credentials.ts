import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { AppError } from '../errors/appError.ts';
import { parseConf, type ParsedConf } from './conf.ts';
import type { Credentials } from './types.ts';

interface Login {
	user: string;
	password: string;
}

async function read(file: string): Promise<string> {
	try {
		return await readFile(file, 'utf8');
	} catch (cause) {
		throw new AppError('credentials.file-unreadable', { file }, { cause });
	}
}

/** Komodo daemon 0.9.0: the cookie file is one line, `__cookie__:<base64>`, and that line is `user:password`. */
async function readCookie(file: string): Promise<Login> {
	const line = (await read(file)).trim();
	const at = line.indexOf(':');
	if (at <= 0) throw new AppError('credentials.cookie-empty', { file });
	return { user: line.slice(0, at), password: line.slice(at + 1) };
}

/** Komodo daemon 0.9.0: the subfolders for `-regtest` and `-testnet`, which only the command line selects. */
const NETWORKS = ['', 'regtest', 'testnet3'];

/** Modification time of a file in milliseconds; null when it does not exist. */
const writtenAt = (file: string): Promise<number | null> =>
	stat(file).then(
		({ mtimeMs }) => mtimeMs,
		() => null
	);

/**
 * Finds the cookie file. Komodo daemon 0.9.0: it is `rpccookiefile`, or `.cookie`, in the data folder
 * (`datadir` of the configuration file), there in the subfolder of the network. Of several, the newest belongs
 * to the daemon that was started last.
 */
async function cookieOf(conf: ParsedConf, file: string): Promise<string> {
	const named = conf.get('rpccookiefile') || '.cookie';
	const dataDir = resolve(dirname(file), conf.get('datadir') ?? '');
	const usual = resolve(dataDir, named);
	const places = isAbsolute(named)
		? [named]
		: NETWORKS.map((network) => resolve(dataDir, network, named));
	const found = await Promise.all(
		places.map(async (place) => ({ place, at: await writtenAt(place) }))
	);
	const latest = found
		.filter(({ at }) => at !== null)
		.toSorted((a, b) => Number(b.at) - Number(a.at))[0];
	return latest?.place ?? usual;
}

/**
 * Returns the login to use now. Files are read each time, because a daemon writes a new cookie when it starts.
 * @throws {AppError} `credentials`
 */
export async function readCredentials(source: Credentials): Promise<Login> {
	if (source.kind === 'password') return { user: source.user, password: source.password };
	if (source.kind === 'cookie') return readCookie(source.file);
	const conf = parseConf(await read(source.file));
	const password = conf.get('rpcpassword') ?? '';
	if (password === '') return readCookie(await cookieOf(conf, source.file));
	return { user: conf.get('rpcuser') ?? '', password };
}
