/** Explanations of file system errors, by error code. */
const FILE_FAULTS = {
	of: (path: string, why: string): string => `${path} cannot be used: ${why}.`,
	why: {
		ENOENT: 'there is no such file or folder',
		ENOTDIR: 'what should be a folder is a file',
		EEXIST: 'there is a file of that name already',
		EISDIR: 'it is a folder',
		EACCES: 'permission is denied',
		EPERM: 'permission is denied',
		EROFS: 'the disk takes no changes',
		ENOSPC: 'the disk is full',
		EDQUOT: 'this user has no more room on the disk',
		EMFILE: 'this process has too many files open',
		ENFILE: 'this machine has too many files open'
	}
} as const;

/** Returns the sentence for a file system error; null for any other error. */
export function fileFault(error: unknown): string | null {
	if (!(error instanceof Error)) return null;
	const { code = '', path } = error as NodeJS.ErrnoException;
	const why = new Map(Object.entries(FILE_FAULTS.why)).get(code);
	return why === undefined || path === undefined ? null : FILE_FAULTS.of(path, why);
}
