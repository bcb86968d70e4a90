import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../errors/appError.ts';
import { parseConf } from './conf.ts';
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

/**
 * The login to use now. Files are read each time, because a daemon writes a new cookie when it starts.
 * @throws {AppError} `credentials`
 */
export async function readCredentials(source: Credentials): Promise<Login> {
	if (source.kind === 'password') return { user: source.user, password: source.password };
	if (source.kind === 'cookie') return readCookie(source.file);
	const conf = parseConf(await read(source.file));
	const password = conf.get('rpcpassword') ?? '';
	if (password === '') return readCookie(join(dirname(source.file), '.cookie'));
	return { user: conf.get('rpcuser') ?? '', password };
}
