import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../errors/appError.ts';

/**
 * Resolves a path that a setting names. No shell reads `.env` files, service definitions or JSON, so a leading
 * `~` is expanded here; otherwise it would name a folder below the working directory.
 *
 * @param from the folder that a relative path starts from
 */
export const namedPath = (path: string, from = ''): string =>
	/^~(?=[\\/]|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(from, path);

/**
 * Reads a file that a setting names.
 * @param name the name of the setting
 * @throws {AppError} `config.file-unreadable`
 */
export function readNamed(name: string, file: string): string {
	try {
		return readFileSync(namedPath(file), 'utf8');
	} catch (error) {
		const { code: reason = 'unknown' } = error as NodeJS.ErrnoException;
		throw new AppError('config.file-unreadable', { name, file, reason });
	}
}
