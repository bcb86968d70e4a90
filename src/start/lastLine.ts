/**
 * The last line: an error that nobody caught.
 *
 * A fault of the system on one file, socket or pipe (it names the system call) concerns that one only, and a
 * promise that nobody waited for has ended nothing but its own work: both are logged, and the server goes on,
 * because otherwise one missing file or broken connection would stop everybody. Any other exception has left
 * some function in its middle; what it was about to write is not known, so the process ends in order, and
 * whoever runs it starts it again.
 */

export interface LastLineParts {
	/** Where the errors of the process arrive. */
	process: Pick<NodeJS.Process, 'on'>;
	onError: (error: unknown) => void;
	/** Ends the process in order. */
	stop: () => void;
}

/** Whether an error is one of the system, about a single file, socket or pipe. */
export function isOfOneHandle(error: unknown): boolean {
	return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';
}

export function holdLastLine({ process, onError, stop }: LastLineParts): void {
	process.on('unhandledRejection', onError);
	process.on('uncaughtException', (error: unknown) => {
		onError(error);
		if (!isOfOneHandle(error)) stop();
	});
}
