"""The apps at work, each with folders of its own and a free port of this machine."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import threading


class Program:
    """A program that serves, from its start to its end."""

    def __init__(self, folder, name, *arguments, environment=None):
        self.command = [str(folder / name), *map(str, arguments)]
        self.environment = {**os.environ, **(environment or {})}
        self.port = 0
        self.start()

    def start(self):
        """Starts it, once more at the port that it had before."""
        self.lines = []
        self.process = subprocess.Popen(
            [*self.command, "--listen", f"127.0.0.1:{self.port}"], env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("http"):
            raise RuntimeError(f"{' '.join(self.command)} says: {self.address}{self.process.stdout.read()}")
        self.port = int(re.search(r":(\d+)", self.address.removeprefix("http://"))[1])
        # What it says later is read, or a full pipe would make it wait.
        threading.Thread(target=self._read, args=[self.process.stdout], daemon=True).start()

    @property
    def base(self):
        """The address without a token, with a slash at its end."""
        return self.address.split("?")[0]

    @property
    def token(self):
        """What visitors must know; nothing where they need not."""
        return self.address.partition("?token=")[2]

    def pause(self):
        """Lets it answer no more, and keeps its connections."""
        self.process.send_signal(signal.SIGSTOP)

    def stop(self):
        if self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _read(self, pipe):
        for line in pipe:
            self.lines.append(line)


class Place:
    """Where a stage keeps its folders, and how it starts programs; all end with it."""

    def __init__(self, programs, folder):
        self.programs, self.folder = pathlib.Path(programs), pathlib.Path(folder)
        self._ends = contextlib.ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ends.close()

    def start(self, name, *arguments, environment=None):
        # Its own home: nobody's library, settings or trash is touched.
        home = {
            "XDG_DATA_HOME": str(self.folder / "home"), "XDG_CACHE_HOME": str(self.folder / "cache"),
            "XDG_STATE_HOME": str(self.folder / "state")}
        program = Program(self.programs, name, *arguments, environment={**home, **(environment or {})})
        self._ends.callback(program.stop)
        return program

    def run(self, name, *arguments):
        """Runs a program to its end; what it prints."""
        command = [str(self.programs / name), *map(str, arguments)]
        return subprocess.run(command, check=True, text=True, capture_output=True).stdout.strip()

    def new_folder(self, name):
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def disk(self, name, megabytes):
        """A small disk, ended with the stage; none where this isn't root."""
        folder = self.new_folder(name)
        options = f"size={megabytes}m"
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True).returncode:
            return None
        self._ends.callback(subprocess.run, ["umount", "--lazy", folder], check=False)
        return folder
