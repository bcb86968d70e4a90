import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../errors/appError.ts';

/**
 * Where a path leads that a setting names. No shell reads a file `.env`, a service of the system or JSON, so that a `~`
 * at the beginning is read here: by its letters it would name a folder of the program.
 *
 * @param from the folder that a relative path begins at
 */
export const namedPath = (path: string, from = ''): string =>
	/^~(?=[\\/]|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(from, path);

/**
 * The text of a file that a setting names.
 * @param name of the setting
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
