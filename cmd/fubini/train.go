package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fubini/data/modelfile"
	"fubini/learn/zoo"
)

// trainFlags say what is learned, and how.
type trainFlags struct {
	dataFlags
	request    zoo.Request
	checkpoint string
	resume     string
}

func newTrain(p *program) *cobra.Command {
	f := trainFlags{request: zoo.Request{Model: "latent-osm", SaveEvery: 1}}
	cmd := &cobra.Command{
		Use:   "train DATA -o MODEL",
		Short: "Learn a model from ratings",
		Long: `Learn a model from all ratings in DATA and write it to MODEL, a safetensors file.
The same data, seed and version give the same bytes for any number of jobs.

--checkpoint writes the state of training every so many epochs, and when training
is interrupted; --resume goes on from there, with the same data and flags, and ends
in the same bytes as a run that was never interrupted.`,
		Example: "  fubini train ml-1m/ratings.dat -o movies.safetensors\n  fubini train ratings.csv -o m.safetensors --hidden 50 --checkpoint m.check",
		Args:    oneArgument("DATA"),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addChoice(cmd, flags, "model", &f.request.Model, zoo.Trainable(), "latent-osm, our best settings; latent-osm-paper, the paper's; osm, without hidden units")
	addFlag(flags, "hidden", "", &f.request.Hidden, "K", parseWhole(0), "hidden units; the model's own number if not given")
	flags.Lookup("hidden").DefValue = ""
	addChoice(cmd, flags, "units", &f.request.Units, []string{"binary", "gaussian"}, "kind of the hidden units; the model's own if not given")
	addFlag(flags, "epochs", "", &f.request.Epochs, "E", parseWhole(1), "passes over all users; the model's own number if not given")
	flags.Lookup("epochs").DefValue = ""
	addFlag(flags, "validate", "", &f.request.Validate, "X", parseShare, "hold back a share X of the ratings, judge every epoch by NDCG@10 on it, and keep the best")
	flags.Lookup("validate").DefValue = ""
	addFlag(flags, "patience", "", &f.request.Patience, "N", parseWhole(1), "with --validate, end after N epochs without a better one (default 10)")
	flags.Lookup("patience").DefValue = ""
	addFlag(flags, "checkpoint", "", &f.checkpoint, "FILE", parsePath, "write the state of training to FILE")
	addFlag(flags, "checkpoint-every", "", &f.request.SaveEvery, "N", parseWhole(1), "epochs from checkpoint to checkpoint")
	addFlag(flags, "resume", "", &f.resume, "FILE", parsePath, "go on from a checkpoint")
	f.dataFlags.add(cmd, flags, "data-format")
	// Flags of what is to come, so that asking for it gets an answer.
	from, more := "", ""
	addFlag(flags, "from", "", &from, "MODEL", parsePath, "trained model to take new users and items into")
	addFlag(flags, "add", "", &more, "NEW", parsePath, "ratings to take into --from MODEL")
	flags.Lookup("from").Hidden, flags.Lookup("add").Hidden = true, true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if from != "" || more != "" {
			return usagef("--from and --add are not built yet; train on all ratings together")
		}
		if p.output == "-" {
			return usagef("--output is missing: the file for the model, as in -o model.safetensors")
		}
		if flags.Changed("hidden") && f.request.Hidden == 0 {
			f.request.Hidden = -1 // none, and not the model's own number
		}
		request := f.request
		request.Seed, request.Jobs, request.Program = p.seed, p.jobs, buildVersion().version
		if f.resume != "" {
			checkpoint, err := readModelFile(f.resume)
			if err != nil {
				return fmt.Errorf("--resume: %w", err)
			}
			request.Resume = checkpoint
		}
		set, _, err := p.read(cmd.Context(), args[0], f.dataFlags)
		if err != nil {
			return err
		}
		if f.checkpoint != "" {
			request.Save = func(file *modelfile.File) error { return p.writeModelFile(f.checkpoint, file) }
		}
		view := p.watchTraining()
		request.Observe = view.epoch
		saved, err := zoo.Train(cmd.Context(), set, request)
		view.end()
		if err != nil {
			return err
		}
		file, err := saved.File()
		if err != nil {
			return err
		}
		return p.writeModelFile(p.output, file)
	}
	return cmd
}

// writeModelFile writes a container; it appears complete or not at all.
func (p *program) writeModelFile(path string, file *modelfile.File) error {
	to := *p
	to.output = path
	return to.deliver(func(w *bufio.Writer) error {
		_, err := file.WriteTo(w)
		return err
	})
}

// readModelFile opens a container and checks it.
func readModelFile(path string) (*modelfile.File, error) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder, not a model", path)
	}
	f, err := modelfile.Read(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// readModel opens a trained model.
func readModel(path string) (*zoo.Saved, error) {
	file, err := readModelFile(path)
	if err != nil {
		return nil, err
	}
	saved, err := zoo.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return saved, nil
}
