import { readFileSync } from 'node:fs';
import { AppError } from '../errors/appError.ts';

/**
 * The text of a file that a setting names.
 * @param name of the setting
 * @throws {AppError} `config.file-unreadable`
 */
export function readNamed(name: string, file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		const { code: reason = 'unknown' } = error as NodeJS.ErrnoException;
		throw new AppError('config.file-unreadable', { name, file, reason });
	}
}
