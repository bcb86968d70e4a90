/** Whether keys are those of a Mac, where Cmd stands for what is Ctrl elsewhere. In a browser only. */
export const isOnMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
