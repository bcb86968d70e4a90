/** Interval between attempts to write to a full disk, in milliseconds. */
const SAVE_AGAIN_MS = 2_000;

/** Writes a network to its folder, soon after changes. */
export class Saver {
	readonly #dir: string;
	readonly #write: () => void;
	#timer: NodeJS.Timeout | null = null;
	#isUnsaved = false;

	/** @param write writes everything at once */
	constructor(dir: string, write: () => void) {
		this.#dir = dir;
		this.#write = write;
	}

	/** Writes everything to disk. */
	save(): void {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		this.#write();
	}

	/** Saves within half a second; repeated calls are combined. */
	saveSoon(): void {
		this.#timer ??= setTimeout(() => this.#saveOrSay(), 500);
	}

	/** Saves. When the disk is full, reports that once, continues in memory, and retries. */
	#saveOrSay(): void {
		try {
			this.save();
			if (this.#isUnsaved) process.stderr.write(`devnet: ${this.#dir} is written again.\n`);
			this.#isUnsaved = false;
		} catch (cause) {
			if (!this.#isUnsaved) {
				const why = cause instanceof Error ? cause.message : String(cause);
				process.stderr.write(
					`devnet: cannot write to ${this.#dir} (${why}). It goes on; what happens from now on is lost if it ends before it is able to write.\n`
				);
			}
			this.#isUnsaved = true;
			this.#timer = setTimeout(() => this.#saveOrSay(), SAVE_AGAIN_MS);
		}
	}
}
